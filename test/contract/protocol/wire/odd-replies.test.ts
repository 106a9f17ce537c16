import { type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openConnection } from '../../../../src/protocol/wire/connection.ts'
import { bodyOffset, encodeMessage, maxMessageBytes } from '../../../../src/protocol/wire/frame.ts'
import { createLastingConnection, runCommand } from '../../../../src/protocol/wire/run-command.ts'
import { addressText } from '../../../../src/protocol/wire/settings.ts'
import { ConnectionError, MalformedMessage } from '../../../../src/protocol/wire/wire-error.ts'
import { aReply, withLength } from '../../../protocol/wire/a-message.ts'
import { type FakeServer, startFakeServer, startSilentServer } from './fake-server.ts'

const addressOf = ({ settings }: FakeServer): { readonly address: string } => ({
  address: addressText(settings.address),
})

const reply = (id: number): Buffer => aReply({ ok: 1, text: 'x'.repeat(100) }, id)

function notBson(id: number): Buffer {
  const message = reply(id)
  // The type of the first element.
  message[bodyOffset + 4] = 0x77
  return message
}

test.each<readonly [string, (id: number, socket: Socket) => void, string]>([
  ['that is cut', (id, socket) => socket.end(reply(id).subarray(0, -1)), 'connection-closed-by-server'],
  ['that does not come', (_, socket) => socket.end(), 'connection-closed-by-server'],
  ['that is too long', (id, socket) => socket.write(withLength(reply(id), maxMessageBytes + 1)), 'reply-too-long'],
  ['that is too short', (id, socket) => socket.write(withLength(reply(id), 20)), 'reply-too-short'],
  ['to another request', (id, socket) => socket.write(reply(id + 1)), 'reply-to-another-request'],
  ['that is compressed', (id, socket) => socket.write(aReply({ ok: 1 }, id, { opCode: 2012 })), 'reply-compressed'],
  ['that is not BSON', (id, socket) => socket.write(notBson(id)), 'reply-not-bson'],
  ['of another protocol', (_, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'reply-of-another-protocol'],
])('a reply %s ends the connection', async (_, onRequest, code) => {
  await using server = await startFakeServer(onRequest)
  using connection = await openConnection(server.settings)
  const failure = await connection.command({ ping: 1 }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ConnectionError)
  expect(failure).toSay(code, addressOf(server))
  expect(connection.isClosed()).toBe(true)
  await expect(connection.command({ ping: 1 })).rejects.toBe(failure)
})

test('a reply may arrive in pieces', async () => {
  await using server = await startFakeServer(async (id, socket) => {
    for (const byte of reply(id)) {
      socket.write(Buffer.from([byte]))
      await setTimeout(1)
    }
  })
  using connection = await openConnection(server.settings)
  expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 })
})

test('a second reply to one request ends the connection, after the first was taken', async () => {
  await using server = await startFakeServer((id, socket) => socket.write(Buffer.concat([reply(id), reply(id)])))
  using connection = await openConnection(server.settings)
  expect(await connection.command({ ping: 1 })).toMatchObject({ ok: 1 })
  await expect(connection.command({ ping: 1 })).rejects.toSay('reply-to-nothing', addressOf(server))
})

test('no second message is sent while a reply is awaited', async () => {
  await using server = await startFakeServer(() => undefined)
  using connection = await openConnection(server.settings)
  const first = connection.command({ ping: 1 })
  await expect(connection.command({ ping: 1 })).rejects.toSay('reply-still-awaited')
  connection.close()
  await expect(first).rejects.toSay('connection-closed', addressOf(server))
})

test('a handler that cannot read a reply gets the failure, and the connection ends', async () => {
  await using server = await startFakeServer((id, socket) => socket.write(reply(id)))
  using connection = await openConnection(server.settings)
  const failure = await new Promise<Error>((resolve) => {
    connection.send(encodeMessage({ ping: 1, $db: 'admin' }, 1), {
      onReply: () => {
        throw new MalformedMessage('no count')
      },
      onFailure: resolve,
    })
  })
  expect(failure).toSay('reply-malformed', { ...addressOf(server), what: 'no count' })
  expect(connection.isClosed()).toBe(true)
})

test('a command that gets no reply in time is given up', async () => {
  await using server = await startFakeServer(() => undefined)
  await expect(runCommand(server.settings, { ping: 1 }, 200)).rejects.toSay('reply-not-in-time', {
    ...addressOf(server),
    seconds: 0.2,
  })
})

test('a server that does not introduce itself in time is given up', async () => {
  await using server = await startSilentServer()
  const settings = { ...server.settings, openTimeoutMs: 200 }
  await expect(openConnection(settings)).rejects.toSay('connection-not-ready', { ...addressOf(server), seconds: 0.2 })
})

test('closing ends the opening of a connection', async () => {
  await using server = await startSilentServer()
  const lasting = createLastingConnection(server.settings)
  const command = lasting.command({ ping: 1 })
  lasting.close()
  await expect(command).rejects.toSay('connection-closed', addressOf(server))
})

test('an address where no server listens is named', async () => {
  const server = await startSilentServer()
  await server[Symbol.asyncDispose]()
  await expect(openConnection(server.settings)).rejects.toSay('connection-failed', addressOf(server))
})
