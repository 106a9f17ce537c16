import { ConnectionString } from 'mongodb-connection-string-url'
import { afterEach, describe, expect, test } from 'vitest'
import { type Outcome, type PhaseEngine } from '../../../../src/load/engines/engine.ts'
import { type PhasePlan } from '../../../../src/load/plan/plan.ts'
import { getOperation } from '../../../../src/spec/operations/index.ts'
import { fakeOperation, sendTo } from '../../../fakes/fake-calls.ts'
import { workplace } from '../../support/program.ts'
import { sharedServer } from '../../support/shared-servers.ts'
import { engineOf } from './both-engines.ts'

const database = 'pools'
const server = sharedServer()
const blockMs = 200

function uriWith(option: string): string {
  const uri = new ConnectionString(server.uri)
  uri.search = `${uri.search === '' ? '?' : `${uri.search}&`}${option}`
  return uri.toString()
}

/** Every find of the engine takes so long at the server. */
async function blockFinds(ms: number): Promise<void> {
  const data = { failCommands: ['find'], blockConnection: true, blockTimeMS: ms, appName: 'pools via mongo-perf' }
  await server.client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data })
}

afterEach(async () => {
  await server.client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' })
})

const find = (engine: PhaseEngine): Promise<Outcome> =>
  sendTo(engine, { operation: 0, args: { filter: {}, options: {} }, bytes: 0 })

describe.each(['driver', 'wire'] as const)('with the engine %s', (kind) => {
  async function sendAll(calls: number, plan: Partial<PhasePlan>): Promise<[readonly Outcome[], readonly number[]]> {
    const operations = [fakeOperation({ kind: 'findOne', reply: getOperation('findOne').reply })]
    const given = { deadlineMs: 30_000, workers: calls, operations, ...plan }
    const engine = engineOf(kind, uriWith('appName=pools'), database, given)
    const waits: number[] = []
    try {
      await engine.warmUp()
      engine.watchPool?.((ms) => waits.push(ms))
      const outcomes = await Promise.all(Array.from({ length: calls }, () => find(engine)))
      return [outcomes, waits.toSorted((one, other) => one - other)]
    } finally {
      await engine.close()
    }
  }

  test('calls wait for the connections of a pool that is smaller, and their waits are handed over', async () => {
    await blockFinds(blockMs)
    const pool = { maxPoolSize: 2, maxConnecting: 2, waitQueueTimeoutMS: 0 }
    const [outcomes, waits] = await sendAll(6, { pool })
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array(6).fill('ok'))
    expect(waits).toHaveLength(6)
    // Two at a time: the third call waits until one is over, the fifth until two are. On a busy machine they are sent later than the first.
    expect(waits[2]).toBeGreaterThan(0.5 * blockMs)
    expect(waits[4]).toBeGreaterThan(1.5 * blockMs)
  })

  test('a call that waits longer than it may fails by the name that the driver has for it', async () => {
    await blockFinds(500)
    const pool = { maxPoolSize: 1, maxConnecting: 1, waitQueueTimeoutMS: 20 }
    const [outcomes] = await sendAll(2, { pool })
    expect(outcomes).toMatchObject([
      { kind: 'ok' },
      {
        kind: 'failed',
        code: 'MongoWaitQueueTimeoutError',
        message: 'Timed out while checking out a connection from connection pool',
      },
    ])
  })

  test('without a pool each worker has a connection, and nothing is watched', async () => {
    const [outcomes, waits] = await sendAll(3, { pool: undefined })
    expect([outcomes.length, waits]).toEqual([3, []])
  })

  test('writes that are not acknowledged are done once the engine is closed', async () => {
    const operations = [fakeOperation({ kind: 'insertOne', reply: getOperation('insertOne').reply, collection: kind })]
    const pool = { maxPoolSize: 2, maxConnecting: 2, waitQueueTimeoutMS: 0 }
    const plan = { deadlineMs: 30_000, workers: 8, pool, operations, writeConcern: { w: 0 } }
    const engine = engineOf(kind, server.uri, database, plan)
    await engine.warmUp()
    const insert = (): Promise<Outcome> =>
      sendTo(engine, { operation: 0, args: { document: {}, options: {} }, bytes: 0 })
    const outcomes = await Promise.all(Array.from({ length: 200 }, insert))
    await engine.close()
    expect(outcomes.every((outcome) => outcome.kind === 'ok')).toBe(true)
    expect(await server.client.db(database).collection(kind).countDocuments()).toBe(200)
  })
})

const phaseFor = (engine: string) => ({
  name: engine,
  engine,
  load: { kind: 'closed', workers: 8 },
  pool: { maxPoolSize: 2 },
  stopAfter: { operations: 400 },
  operations: [{ kind: 'findOne', filter: { _id: 1 } }],
})

test('a run shows how long calls of both engines waited, and the options of the URI hold', async () => {
  await using place = await workplace({ uri: uriWith('maxPoolSize=2') })
  const file = await place.spec({
    name: 'pooled',
    target: { kind: 'existing' },
    data: [{ collection: 'documents', rows: 10, document: { _id: { '@row': {} } } }],
    phases: [phaseFor('driver'), phaseFor('wire')],
  })
  const { code, stdout } = await place.run(['run', file])
  expect(code).toBe(0)
  expect(stdout).toContain('Connection Pool: wire')
  // Each cell of a table on a line of its own.
  expect(stdout.replaceAll('|', '\n')).toHaveLine('pool-cell', { connections: 2 })
  const { variants } = await place.result('pooled')
  const pools = variants.flatMap(({ phases }) => phases.map(({ pool }) => pool))
  const expected = { maxPoolSize: 2, maxConnecting: 2, waitQueueTimeoutMS: 0, wait: { count: 400 } }
  expect(pools).toMatchObject([expected, expected])
})
