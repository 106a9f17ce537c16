import * as mongodb from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { createEngine } from '../../src/load/engines/create-engine.ts'
import { bundledDriver } from '../../src/load/engines/driver/load-driver.ts'
import { emptyReply, type Outcome, type PhaseEngine } from '../../src/load/engines/engine.ts'
import { type MethodKind, type NamedArguments } from '../../src/load/engines/intent.ts'
import { type CallBudget, type CallSource, type OperationPlan, type PhasePlan } from '../../src/load/plan/plan.ts'
import { getOperation } from '../../src/spec/operations/index.ts'
import { fakeOperation, fakePhase, fakeSource, sendTo } from '../fakes/fake-calls.ts'
import { runHere } from '../fakes/run-here.ts'
import { sharedServer } from './support/shared-servers.ts'

type Row = { readonly _id: number; readonly group: number; readonly text: string }

const database = 'driver-engine'
const rows: readonly Row[] = Array.from({ length: 500 }, (_, key) => ({
  _id: key,
  group: key % 10,
  text: 'x'.repeat(key),
}))
/** As it comes from the server. */
const bson = (document: object | undefined): unknown =>
  expect.toSatisfy((bytes: Uint8Array) => Buffer.from(bytes).equals(mongodb.BSON.serialize(document ?? {})))

const bytesOf = (documents: readonly object[]): number =>
  documents.reduce((sum, document) => sum + mongodb.BSON.calculateObjectSize(document), 0)

const server = sharedServer()
let client: mongodb.MongoClient

/** By default the driver opens one more connection after ten seconds, to measure round trips: when connections are counted, perhaps. */
const monitoring = { serverMonitoringMode: 'poll' } as const

beforeAll(async () => {
  client = new mongodb.MongoClient(server.uri, monitoring)
})

afterAll(async () => {
  await client.close()
})

const openCursors = (): Promise<mongodb.Document[]> =>
  client
    .db('admin')
    .aggregate([
      { $currentOp: { idleCursors: true } },
      { $match: { ns: `${database}.rows`, cursor: { $exists: true } } },
    ])
    .toArray()

const operation = (kind: MethodKind, collection = 'rows'): OperationPlan =>
  fakeOperation({ name: kind, kind, reply: getOperation(kind).reply, collection })

const driver = bundledDriver()

const engineFor = (plan: Partial<PhasePlan>, uri = server.uri): PhaseEngine =>
  createEngine({ kind: 'driver', driver, uri, database, phase: fakePhase({ deadlineMs: 30_000, ...plan }) })

type Given = Omit<NamedArguments, 'options'> & Partial<Pick<NamedArguments, 'options'>>

const callOf = ({ options = {}, ...args }: Given, number = 0) => ({
  operation: number,
  args: { ...args, options },
  bytes: 0,
})

/** Sends one call through an engine of its own. */
async function sendOnce(kind: MethodKind, given: Given, plan: Partial<PhasePlan> = {}): Promise<Outcome> {
  const engine = engineFor({ operations: [operation(kind)], ...plan })
  try {
    return await sendTo(engine, callOf(given))
  } finally {
    await engine.close()
  }
}

const collection = () => client.db(database).collection<{ _id: number; group?: number }>('rows')

describe('each method is called and its reply read', () => {
  beforeEach(async () => {
    await collection().deleteMany({})
    await collection().insertMany([...rows])
  })

  test('find, over many batches to its end', async () => {
    const outcome = await sendOnce('find', { filter: {}, options: { batchSize: 7 } })
    expect(outcome).toEqual({
      kind: 'ok',
      reply: { ...emptyReply, documents: 500, bytes: bytesOf(rows), document: bson(rows[0]) },
    })
    expect(await openCursors()).toEqual([])
  })

  test('updateMany, where some documents are already as wanted', async () => {
    const outcome = await sendOnce('updateMany', { filter: { group: { $in: [1, 2] } }, update: { $set: { group: 2 } } })
    expect(outcome).toEqual({ kind: 'ok', reply: { ...emptyReply, documents: 50, matched: 100, modified: 50 } })
  })

  test.each([
    ['insertOne', { document: { _id: 1000 } }, { documents: 1, inserted: 1 }],
    ['insertMany', { documents: [{ _id: 1001 }, { _id: 1002 }] }, { documents: 2, inserted: 2 }],
    ['updateOne', { filter: { _id: 1 }, update: { $set: { group: 2 } } }, {}],
    ['deleteOne', { filter: { _id: 1 } }, {}],
  ] as const)('%s without acknowledgement counts the inserts that were sent', async (kind, given, counted) => {
    const outcome = await sendOnce(kind, given, { writeConcern: { w: 0 } })
    expect(outcome).toEqual({ kind: 'ok', reply: { ...emptyReply, ...counted } })
  })
})

const connectionsMade = async (): Promise<number> =>
  (await client.db('admin').command({ serverStatus: 1 }))['connections'].totalCreated

test('pool and timeouts are ours, whatever the URI says', async () => {
  const engine = engineFor({ workers: 2 }, `${server.uri}&minPoolSize=50&waitQueueTimeoutMS=1&socketTimeoutMS=1`)
  await engine.warmUp()
  const outcome = await sendTo(engine, callOf({ filter: {} }))
  await engine.close()
  expect(outcome.kind).toBe('ok')
})

/** Calls that all carry the same arguments. */
function sourceOf(given: Given, budget: CallBudget | undefined): CallSource {
  const source = fakeSource(1, budget)
  return { ...source, endedBecause: source.endedBecause, next: () => ({ ...source.next(), ...callOf(given) }) }
}

test('the pool is open before the window: no connection is made inside of it', async () => {
  const workers = 24
  const phase = fakePhase({
    workers,
    deadlineMs: 30_000,
    operations: [operation('findOne')],
    stopAfter: { operations: 2000 },
    calls: (_, budget) => sourceOf({ filter: { _id: 1 } }, budget),
  })
  // The monitor has one connection, and not a second one after ten seconds, which a busy machine may take here.
  const uri = new ConnectionString(server.uri)
  uri.searchParams.set('serverMonitoringMode', 'poll')
  const engine = createEngine({ kind: 'driver', driver, uri: uri.toString(), database, phase, options: monitoring })
  const before = await connectionsMade()
  let atStart = 0
  let atEnd = 0
  await runHere({
    phase,
    engine,
    clock: systemClock,
    onWindowOpens: async () => void (atStart = await connectionsMade()),
    onWindowCloses: async () => void (atEnd = await connectionsMade()),
  })
  await engine.close()
  expect(atStart - before).toBeGreaterThanOrEqual(workers)
  expect(atEnd).toBe(atStart)
})

test('writes without acknowledgement, which need no answer, let timers run', async () => {
  const phase = fakePhase({
    workers: 4,
    deadlineMs: 30_000,
    // On a busy machine the server is not done with them when the engine gives up waiting.
    operations: [operation('insertOne', 'unanswered')],
    writeConcern: { w: 0 },
    stopAfter: { operations: 10_000 },
    calls: (_, budget) => sourceOf({ document: {} }, budget),
  })
  const engine = createEngine({ kind: 'driver', driver, uri: server.uri, database, phase })
  let fired = 0
  const timer = setInterval(() => (fired += 1), 1)
  await runHere({ phase, engine, clock: systemClock, onStart: () => void (fired = 0) })
  clearInterval(timer)
  await engine.close()
  expect(fired).toBeGreaterThan(10)
})

test('concerns are sent as the plan says, also where they are the default', async () => {
  const commands: Record<string, unknown>[] = []
  const phase = fakePhase({
    deadlineMs: 30_000,
    operations: [operation('findOne'), operation('insertOne')],
    writeConcern: { w: 1, wtimeoutMS: 5000, j: true },
    readConcern: { level: 'majority' },
  })
  const watched = { ...mongodb, MongoClient: watchedClient((command) => commands.push(command)) }
  const engine = createEngine({
    kind: 'driver',
    driver: { ...driver, module: watched },
    uri: server.uri,
    database,
    phase,
    options: { monitorCommands: true },
  })
  await sendTo(engine, callOf({ filter: {} }))
  await sendTo(engine, callOf({ document: {} }, 1))
  await engine.close()
  expect(commands.find((command) => 'find' in command)).toMatchObject({ readConcern: { level: 'majority' } })
  expect(commands.find((command) => 'insert' in command)).toMatchObject({
    writeConcern: { w: 1, wtimeout: 5000, j: true },
  })
})

test('writes that nobody acknowledges are done once the engine is closed, however long they take', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => ({ _id: i, group: 0 }))
  await collection().deleteMany({})
  await collection().insertMany(many)
  const operations = [operation('updateMany')]
  const engine = engineFor({ writeConcern: { w: 0 }, operations })
  await engine.warmUp()
  const sent = await sendTo(engine, callOf({ filter: {}, update: { $set: { group: 7 } } }))
  await engine.close()
  expect(sent).toEqual({ kind: 'ok', reply: emptyReply })
  expect(await collection().countDocuments({ group: 7 })).toBe(many.length)
})

/** The driver's client, telling what it sends. */
function watchedClient(tell: (command: Record<string, unknown>) => void): typeof mongodb.MongoClient {
  return class extends mongodb.MongoClient {
    constructor(uri: string, options?: mongodb.MongoClientOptions) {
      super(uri, options)
      this.on('commandStarted', ({ command }) => tell(command))
    }
  }
}

describe('a server that cannot be used', () => {
  const secret = 'mongodb://somebody:hunter2@127.0.0.1:1/?serverSelectionTimeoutMS=300'

  test('is a problem of the target, without the password', async () => {
    const engine = engineFor({ deadlineMs: 500 }, secret)
    const problem = await engine.warmUp().catch((error: unknown) => error)
    await engine.close()
    expect(problem).toSay('engine-server-unusable')
    expect(JSON.stringify(problem) + String(problem)).not.toContain('hunter2')
  })

  test('because of its URI is a problem of usage, without the password', () =>
    expect(() => engineFor({}, 'mongodb://somebody:hunter2@@/')).toSay('driver-uri-not-accepted'))
})
