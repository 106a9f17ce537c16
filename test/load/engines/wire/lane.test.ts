import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type Outcome, emptyReply } from '../../../../src/load/engines/engine.ts'
import { noArguments } from '../../../../src/load/engines/intent.ts'
import { createTemplate } from '../../../../src/load/engines/wire/message.ts'
import { type Exchange } from '../../../../src/load/engines/wire/method.ts'
import { PooledConnection } from '../../../../src/load/engines/wire/pooled-connection.ts'
import { decodeReply, createReplyError } from '../../../../src/load/engines/wire/replies/write-reply.ts'
import { type Connection, type ReplyHandler } from '../../../../src/protocol/wire/connection.ts'
import { ConnectionError } from '../../../../src/protocol/wire/wire-error.ts'

/** As a connection behaves: one message at a time, and none after it has ended. */
function fakeConnection() {
  let handler: ReplyHandler | undefined
  let failure: ConnectionError | undefined
  let sent = 0
  const connection = {
    send(_message: Buffer, next: ReplyHandler) {
      if (failure !== undefined) return next.onFailure(failure)
      if (handler !== undefined) throw new Error('The reply to the last message is still awaited')
      handler = next
      sent += 1
    },
    isClosed: () => failure !== undefined,
    close() {
      if (failure !== undefined) return
      failure = new ConnectionError('was closed')
      const waiting = handler
      handler = undefined
      waiting?.onFailure(failure)
    },
  }
  return {
    connection: connection as Pick<Connection, 'send' | 'isClosed' | 'close'> as Connection,
    sent: () => sent,
    reply(document: object) {
      const bytes = Buffer.from(serialize(document))
      const waiting = handler
      handler = undefined
      waiting?.onReply(bytes, 0, bytes.length)
    },
  }
}

const ping = createTemplate({ ping: 1 })

function pingExchange(): Exchange {
  return {
    unacknowledged: undefined,
    begin(_args, message) {
      message.begin(ping)
      message.endBody()
      message.finish()
    },
    take(bytes, start, end) {
      const reply = decodeReply(bytes, start, end)
      if (reply['ok'] !== 1) throw createReplyError(reply)
      return emptyReply
    },
  }
}

/** A lane whose calls are followed by the next one at once, as in a closed loop. */
async function openLane(calls: number) {
  const connections: ReturnType<typeof fakeConnection>[] = []
  const outcomes: Outcome[] = []
  const lane = new PooledConnection({
    async connect() {
      const made = fakeConnection()
      connections.push(made)
      return made.connection
    },
    deadlineMs: 1000,
    now: () => 0,
    release: () => {},
  })
  await lane.open()
  const send = (): void =>
    lane.send(pingExchange, noArguments, undefined, (outcome) => {
      outcomes.push(outcome)
      if (outcomes.length < calls) send()
    })
  send()
  return { lane, connections, outcomes }
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('the call after one that', () => {
  test('was answered goes over the same connection', async () => {
    const { connections, outcomes } = await openLane(3)
    for (let i = 0; i < 3; i++) connections[0]?.reply({ ok: 1 })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok'])
    expect(connections.map(({ sent }) => sent())).toEqual([3])
  })

  type Lane = Awaited<ReturnType<typeof openLane>>
  const notPrimary = { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }

  test.each<[string, (lane: Lane) => void, object]>([
    ['was given up', ({ lane }) => lane.giveUp(), { kind: 'unknown', code: 'DeadlineExceeded' }],
    [
      'was refused by a member that is no primary',
      ({ connections }) => connections[0]?.reply(notPrimary),
      { kind: 'failed', code: '10107' },
    ],
    [
      'lost its connection',
      ({ connections }) => connections[0]?.connection.close(),
      { kind: 'unknown', code: 'MongoNetworkError' },
    ],
  ])('%s goes over a new connection', async (_, end, outcome) => {
    const opened = await openLane(2)
    const { connections, outcomes } = opened
    end(opened)
    expect(outcomes).toMatchObject([outcome])
    await settled()
    connections[1]?.reply({ ok: 1 })
    expect(outcomes).toMatchObject([outcome, { kind: 'ok' }])
    expect(connections.map(({ sent }) => sent())).toEqual([1, 1])
  })

  test('was refused for another reason goes over the same connection', async () => {
    const { connections, outcomes } = await openLane(2)
    connections[0]?.reply({ ok: 0, code: 2, codeName: 'BadValue', errmsg: 'bad' })
    connections[0]?.reply({ ok: 1 })
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'ok'])
    expect(connections).toHaveLength(1)
  })
})
