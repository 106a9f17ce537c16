import { setTimeout } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { lookOften, startTestMongod, type TestMongod } from '../../../../bench/start/mongod.ts'
import { comesTrue } from '../../../../bench/start/wait.ts'
import { type Outcome, type PhaseEngine } from '../../../../src/load/engines/engine.ts'
import { type MethodKind, type NamedArguments } from '../../../../src/load/engines/intent.ts'
import { type PhasePlan } from '../../../../src/load/plan/plan.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { type RunningTarget } from '../../../../src/servers/targets/target.ts'
import { getOperation } from '../../../../src/spec/operations/index.ts'
import { fail } from '../../../fakes/fail.ts'
import { fakeOperation, sendTo } from '../../../fakes/fake-calls.ts'
import { type Certificates, clientSubject, hasOpenssl, makeCertificates } from '../../support/certificates.ts'
import { ownServer } from '../../support/own-server.ts'
import { sharedServer } from '../../support/shared-servers.ts'
import { startContext, type TestContext } from '../../support/start-context.ts'
import { engineOf } from './both-engines.ts'

const database = 'wire_failures'
const kinds: readonly MethodKind[] = ['insertOne', 'insertMany', 'findOne', 'bulkWrite', 'updateMany', 'find']

const wireEngine = (uri: string, plan: Partial<PhasePlan> = {}): PhaseEngine =>
  engineOf('wire', uri, database, {
    deadlineMs: 10_000,
    operations: kinds.map((kind) => fakeOperation({ kind, reply: getOperation(kind).reply })),
    ...plan,
  })

const call = (
  engine: PhaseEngine,
  kind: MethodKind,
  args: Omit<NamedArguments, 'options'> = { document: {}, documents: [{}, {}], filter: {} },
): Promise<Outcome> => sendTo(engine, { operation: kinds.indexOf(kind), args: { ...args, options: {} }, bytes: 0 })

const insertedBy = (outcomes: readonly Outcome[]): number =>
  outcomes.reduce((sum, { reply }) => sum + reply.inserted, 0)

/** A set waits for ten seconds by default before it takes its primary for dead. */
async function electQuickly(client: MongoClient): Promise<void> {
  const admin = client.db('admin')
  const { config } = await admin.command({ replSetGetConfig: 1 })
  const settings = { ...config.settings, electionTimeoutMillis: 2000 }
  await admin.command({ replSetReconfig: { ...config, version: config.version + 1, settings } })
}

/** Workers that insert, one call after the other, until they are stopped. */
function insertAll(engine: PhaseEngine, kind: 'insertOne' | 'insertMany', workers: number) {
  const outcomes: Outcome[] = []
  const stopped = new AbortController()
  const work = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const outcome = await call(engine, kind)
      outcomes.push(outcome)
      if (outcome.kind !== 'ok') await setTimeout(5)
    }
  }
  const working = Promise.all(Array.from({ length: workers }, work))
  return {
    outcomes,
    okSince: (from: number): boolean => outcomes.slice(from).filter(({ kind: ended }) => ended === 'ok').length > 20,
    stop: async () => {
      stopped.abort()
      await working
    },
  }
}

describe('a replica set of three', () => {
  let context: TestContext
  let target: RunningTarget
  let client: MongoClient

  beforeAll(async () => {
    context = await startContext()
    target = await startTarget(
      targetSpec.parse({ kind: 'replicaSet', members: 3, server: { setParameters: lookOften } }),
      context,
    )
    client = await MongoClient.connect(target.uri)
    await electQuickly(client)
  })
  afterAll(async () => {
    await client.close()
    await target[Symbol.asyncDispose]()
    await context[Symbol.asyncDispose]()
  })

  const documents = () => client.db(database).collection('documents')

  test.each(['insertOne', 'insertMany', 'bulkWrite'] as const)(
    'whose primary steps down gets %s at the next one',
    async (kind) => {
      const engine = wireEngine(target.uri)
      const args = {
        document: {},
        documents: [{}, {}],
        writes: [{ kind: 'insertOne', namespace: undefined, fields: { document: {} } }] as const,
      }
      await engine.warmUp(4)
      expect(await call(engine, kind, structuredClone(args))).toMatchObject({ kind: 'ok' })
      await client.db('admin').command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 4 })
      const outcomes: Outcome[] = []
      const isDone = await comesTrue(async () => {
        outcomes.push(await call(engine, kind, structuredClone(args)))
        return outcomes.slice(-4).filter((outcome) => outcome.kind === 'ok').length === 4
      }, 60_000)
      await engine.close()
      expect(isDone).toBe(true)
      const codes = outcomes.map((outcome) => ('code' in outcome ? outcome.code : 'ok'))
      expect(codes.filter((code) => !/^(ok|10107|189|11602|91|Mongo.*|DeadlineExceeded)$/.test(code))).toEqual([])
    },
  )

  test.each(['insertOne', 'insertMany'] as const)(
    'whose primary is killed keeps what %s acknowledged, and goes on with the next one',
    async (kind) => {
      await documents().deleteMany({})
      const engine = wireEngine(target.uri, { workers: 8 })
      await engine.warmUp()
      const { outcomes, okSince, stop } = insertAll(engine, kind, 8)
      expect(await comesTrue(() => okSince(0), 30_000)).toBe(true)
      const { me } = await client.db('admin').command({ hello: 1 })
      const primary = target.processes?.find(({ host }) => host === me) ?? fail('no primary')
      await primary.kill()
      const at = outcomes.length
      expect(await comesTrue(() => okSince(at + 100), 60_000)).toBe(true)
      await stop()
      await engine.close()
      await primary.restart()
      const unknown = outcomes.filter((outcome) => outcome.kind === 'unknown')
      const stored = await documents().countDocuments({}, { readConcern: { level: 'majority' } })
      const ok = insertedBy(outcomes.filter((outcome) => outcome.kind === 'ok'))
      const failed = insertedBy(outcomes.filter((outcome) => outcome.kind === 'failed'))
      expect(stored).toBeGreaterThanOrEqual(ok + failed)
      expect(stored).toBeLessThanOrEqual(ok + failed + unknown.length * (kind === 'insertOne' ? 1 : 2))
      expect(unknown.length).toBeGreaterThan(0)
    },
  )
})

test('a single server that is killed ends all calls, and those after it are not sent', async () => {
  await using server = await startTestMongod(inject('mongodPath'))
  const engine = wireEngine(server.uri, { workers: 8, deadlineMs: 1000 })
  await engine.warmUp()
  const { outcomes, okSince, stop } = insertAll(engine, 'insertMany', 8)
  expect(await comesTrue(() => okSince(0), 30_000)).toBe(true)
  server.kill()
  expect(await comesTrue(() => outcomes.some(({ kind }) => kind === 'unknown'), 30_000)).toBe(true)
  await stop()
  // Those that were made later found no server: they were not sent.
  expect(await call(engine, 'insertOne')).toMatchObject({ kind: 'failed', name: 'MongoServerSelectionError' })
  await engine.close()
})

describe('a server that is right', () => {
  const server = sharedServer()
  const stored = () => server.client.db(database).collection<{ _id: unknown; n?: number }>('documents')
  beforeEach(() => stored().deleteMany({}))

  test('takes more calls at once than connections were opened', async () => {
    const engine = wireEngine(server.uri, { workers: 2 })
    await engine.warmUp()
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => call(engine, 'insertOne')))
    await engine.close()
    expect(insertedBy(outcomes)).toBe(50)
    expect(await stored().countDocuments()).toBe(50)
  })

  test('takes calls without a connection being opened before', async () => {
    const engine = wireEngine(server.uri)
    expect(await call(engine, 'insertOne')).toMatchObject({ kind: 'ok' })
    await engine.close()
  })

  test('has all that is not acknowledged once the engine is closed, however long it takes', async () => {
    await stored().insertMany(Array.from({ length: 20_000 }, (_, i) => ({ _id: i })))
    const engine = wireEngine(server.uri, { writeConcern: { w: 0 }, workers: 4 })
    await engine.warmUp()
    const update = call(engine, 'updateMany', { filter: {}, update: { $set: { n: 7 } } })
    const inserts = Array.from({ length: 100 }, () => call(engine, 'insertMany'))
    const outcomes = await Promise.all([update, ...inserts])
    await engine.close()
    expect(outcomes.every(({ kind }) => kind === 'ok')).toBe(true)
    expect(insertedBy(outcomes)).toBe(200)
    expect(await stored().countDocuments({ n: 7 })).toBeGreaterThanOrEqual(20_000)
    expect(await stored().countDocuments()).toBe(20_200)
  })

  test('leaves no connection behind when an engine is closed', async () => {
    const open = async (): Promise<number> => {
      const { inprog } = await server.client.db('admin').command({ currentOp: 1, $all: true })
      return inprog.filter(({ appName }: { readonly appName?: string }) => appName === 'mongo-perf').length
    }
    const engine = wireEngine(server.uri, { workers: 5 })
    await engine.warmUp()
    expect(await open()).toBeGreaterThanOrEqual(5)
    await engine.close()
    expect(await comesTrue(async () => (await open()) === 0, 20_000)).toBe(true)
  })

  test('is not asked where the URI wants what only the driver does', () => {
    const uri = server.uri.replace('directConnection=true', 'loadBalanced=true')
    expect(() => wireEngine(uri)).toSay('wire-option-unsupported', { option: 'loadBalanced=true' })
  })
})

describe('with a password', () => {
  const server = ownServer(['--auth'])
  const uriOf = (password: string): string => server.uri.replace('//', `//ann:${password}@`)

  beforeAll(async () => {
    const roles = ['root']
    await server.client.db('admin').command({ createUser: 'ann', pwd: 'hunter2-secret', roles })
  })

  test.each(['', 'SCRAM-SHA-1', 'SCRAM-SHA-256'])('an engine logs in (mechanism "%s")', async (mechanism) => {
    const engine = wireEngine(uriOf('hunter2-secret') + (mechanism && `&authMechanism=${mechanism}`))
    await engine.warmUp()
    expect(await call(engine, 'insertMany')).toMatchObject({ kind: 'ok', reply: { inserted: 2 } })
    await engine.close()
  })

  test('a wrong one is a problem of the target, in words without it', async () => {
    const engine = wireEngine(uriOf('hunter2-wrong'), { deadlineMs: 2000 })
    const problem = await engine.warmUp().catch((error: unknown) => error)
    const outcome = await call(engine, 'insertOne')
    await engine.close()
    expect(problem).toSay('engine-login-refused')
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(JSON.stringify([problem, outcome]) + String(problem)).not.toContain('hunter2')
  })
})

describe.runIf(hasOpenssl)('over TLS', () => {
  let files: Certificates
  let server: TestMongod
  const uriOf = (rest: string, login = ''): string =>
    `mongodb://${login}${new URL(server.uri).host}/?tls=true&directConnection=true&tlsCAFile=${files.authority}${rest}`

  beforeAll(async () => {
    files = await makeCertificates()
    const tls = ['--tlsMode', 'requireTLS', '--tlsCAFile', files.authority, '--tlsCertificateKeyFile', files.server]
    const methods = 'authenticationMechanisms=SCRAM-SHA-1,SCRAM-SHA-256,MONGODB-X509'
    const more = ['--tlsAllowConnectionsWithoutCertificates', '--auth', '--setParameter', methods]
    server = await startTestMongod(inject('mongodPath'), [...tls, ...more])
    await using client = new MongoClient(uriOf(''))
    await client.db('admin').command({ createUser: 'ann', pwd: 'hunter2-secret', roles: ['root'] })
    await using ann = new MongoClient(uriOf('', 'ann:hunter2-secret@'))
    await ann.db('$external').command({ createUser: clientSubject, roles: [{ role: 'root', db: 'admin' }] })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await files[Symbol.asyncDispose]()
  })

  test('an engine that logs in by a certificate writes and reads megabytes', async () => {
    const uri = uriOf(`&tlsCertificateKeyFile=${files.client}&authMechanism=MONGODB-X509`)
    const engine = wireEngine(uri, { workers: 2 })
    await engine.warmUp()
    const documents = Array.from({ length: 5 }, () => ({ text: 'x'.repeat(500_000) }))
    expect(await call(engine, 'insertMany', { documents })).toMatchObject({ kind: 'ok', reply: { inserted: 5 } })
    const found = await call(engine, 'find', { filter: {} })
    await engine.close()
    expect(found).toMatchObject({
      kind: 'ok',
      reply: { bytes: expect.toSatisfy((bytes: number) => bytes > 2_500_000) },
    })
  })
})
