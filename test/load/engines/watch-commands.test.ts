import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { watchCommands } from '../../../src/load/engines/watch-commands.ts'

/** A client whose commands are sent and answered when a test says so. */
class ScriptedClient extends EventEmitter {
  monitorCommands = false
  #requests = 0

  waitForConnection = (): void => void this.emit('connectionCheckOutStarted', {})

  send(commandName: string): () => void {
    const event = { requestId: ++this.#requests, commandName, databaseName: 'shop', command: {} }
    this.emit('commandStarted', event)
    return () => void this.emit('commandSucceeded', { ...event, reply: { ok: 1 } })
  }

  db = () => ({
    command: async () => this.send('ping')(),
  })
}

const names = (commands: readonly { readonly commandName: string; readonly roundTrip: number }[]) =>
  commands.map(({ commandName, roundTrip }) => `${commandName} ${roundTrip}`)

test('commands share a round trip unless one waits for the answer to another', async () => {
  const client = new ScriptedClient()
  await using watch = await watchCommands(client)
  watch.run(() => {
    const [one, other] = [client.send('find'), client.send('count')]
    one()
    other()
    client.send('getMore')()
    client.send('killCursors')
  })
  expect(names(watch.take())).toEqual(['find 1', 'count 1', 'getMore 2', 'killCursors 3'])
  watch.run(() => client.send('find'))
  expect(names(watch.take())).toEqual(['find 1'])
})

test('a command that waits for a connection counts from when it began to wait', async () => {
  const client = new ScriptedClient()
  await using watch = await watchCommands(client)
  watch.run(() => {
    client.waitForConnection()
    client.waitForConnection()
    client.send('find')()
    client.send('find')()
    client.waitForConnection()
    client.send('find')()
  })
  expect(names(watch.take())).toEqual(['find 1', 'find 1', 'find 2'])
})

test('replies belong to their commands, and what other work sends is left out', async () => {
  const client = new ScriptedClient()
  await using watch = await watchCommands(client)
  watch.run(() => client.send('find')())
  client.send('insert')()
  expect(watch.take()).toMatchObject([{ commandName: 'find', reply: { ok: 1 } }])
  await watch[Symbol.asyncDispose]()
  expect([client.monitorCommands, client.eventNames()]).toEqual([false, []])
})

/** The contexts that a new promise takes along, up to Node 22. */
const carried = (): readonly symbol[] =>
  Object.getOwnPropertySymbols(Promise.resolve()).filter(({ description }) => description === 'kResourceStore')

test('once it has ended, what comes later carries no context of it, which every promise would pay for', async () => {
  const before = carried()
  {
    await using watch = await watchCommands(new ScriptedClient())
    watch.run(() => undefined)
  }
  expect(carried()).toEqual(before)
})
