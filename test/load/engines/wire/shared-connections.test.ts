import { expect, test } from 'vitest'
import { SharedConnections } from '../../../../src/load/engines/wire/shared-connections.ts'
import { type ConnectionPool } from '../../../../src/load/plan/plan.ts'
import { type Connection } from '../../../../src/protocol/wire/connection.ts'
import { virtualTime } from '../../../fakes/virtual-time.ts'

const openMs = 10

/** Connections that take 10 ms to open. */
function share(limits: Partial<ConnectionPool>, opens: (number: number) => boolean = () => true) {
  const time = virtualTime()
  const { clock } = time
  const waits: number[] = []
  const seen = { opened: 0, opening: 0, maxOpening: 0 }
  async function open(): Promise<Connection> {
    const number = (seen.opened += 1)
    seen.opening += 1
    seen.maxOpening = Math.max(seen.maxOpening, seen.opening)
    await clock.sleep(openMs)
    seen.opening -= 1
    if (!opens(number)) throw new Error(`no connection ${number}`)
    let isClosed = false
    const connection = { isClosed: () => isClosed, close: () => void (isClosed = true) }
    return connection as Pick<Connection, 'isClosed' | 'close'> as Connection
  }
  const shared = new SharedConnections(
    { maxPoolSize: 4, maxConnecting: 2, waitQueueTimeoutMS: 0, ...limits },
    open,
    clock,
  )
  shared.record = (ms) => void waits.push(ms)
  const call = async (ms: number): Promise<Connection> => {
    const connection = shared.take() ?? (await shared.wait())
    await clock.sleep(ms)
    shared.giveBack(connection)
    return connection
  }
  return { ...time, shared, seen, waits, call }
}

test('connections are opened so many at a time, and no more than the pool has', async () => {
  const { run, shared, seen, call } = share({})
  await run(async () => {
    await shared.fill(3)
    expect(seen).toMatchObject({ opened: 3, maxOpening: 2 })
    await Promise.all(Array.from({ length: 20 }, () => call(50)))
  })
  expect(seen).toEqual({ opened: 4, opening: 0, maxOpening: 2 })
})

test('calls have connections in the order in which they came, and those that find one ready wait for nothing', async () => {
  const { run, shared, waits, call } = share({ maxPoolSize: 1 })
  await run(async () => {
    await shared.fill(1)
    await Promise.all([call(30), call(5), call(5)])
  })
  expect(waits).toEqual([0, 30, 35])
})

test('a connection that was closed is lent to no call', async () => {
  const { run, shared, seen, call } = share({ maxPoolSize: 1 })
  await run(async () => {
    const first = await call(5)
    first.close()
    expect(await call(5)).not.toBe(first)
  })
  expect(seen.opened).toBe(2)
  expect(shared.take()).toBeDefined()
})

test('a connection that cannot be opened ends one call, and the others wait for the next', async () => {
  const { run, waits, call } = share({ maxPoolSize: 1, maxConnecting: 1 }, (number) => number > 1)
  const ends = await run(() => Promise.allSettled([call(5), call(5)]))
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(waits).toEqual([openMs, 2 * openMs])
})

test('a call that waits for too long fails, and leaves its place to the others', async () => {
  const { run, shared, waits, call } = share({ maxPoolSize: 1, waitQueueTimeoutMS: 20 })
  const ends = await run(async () => {
    await shared.fill(1)
    return await Promise.allSettled([call(30), call(5)])
  })
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { name: 'MongoWaitQueueTimeoutError' } },
  ])
  expect(waits).toEqual([0, 20])
})

test('once it has ended, calls that wait or come fail, and connections that come back are closed', async () => {
  const { run, shared } = share({ maxPoolSize: 1 })
  await run(async () => {
    const lent = await shared.wait()
    const waiting = shared.wait()
    expect(shared.end()).toEqual([])
    await expect(waiting).rejects.toMatchObject({ name: 'MongoClientClosedError' })
    await expect(shared.wait()).rejects.toMatchObject({ name: 'MongoClientClosedError' })
    shared.giveBack(lent)
    expect(lent.isClosed()).toBe(true)
  })
})
