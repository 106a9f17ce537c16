import { setTimeout } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Outcome, type PhaseEngine } from '../../../src/engines/engine.ts'
import { type MethodKind, type NamedArguments } from '../../../src/engines/intent.ts'
import { getOperation } from '../../../src/operations/index.ts'
import { type PhasePlan } from '../../../src/plan/plan.ts'
import { startTarget, targetSpec } from '../../../src/targets/index.ts'
import { type RunningTarget } from '../../../src/targets/target.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeOperation, sendTo } from '../../fakes/fake-calls.ts'
import { lookOften, startTestMongod, type TestMongod } from '../start-mongod.ts'
import { type Certificates, clientSubject, hasOpenssl, makeCertificates } from '../support/certificates.ts'
import { ownServer } from '../support/own-server.ts'
import { startContext, type TestContext } from '../support/start-context.ts'
import { comesTrue } from '../support/wait.ts'
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
): Promise<Outcome> =>
  sendTo(engine, { operation: kinds.indexOf(kind), args: { ...args, options: {} }, bytes: 0 })

const insertedBy = (outcomes: readonly Outcome[]): number =>
  outcomes.reduce((sum, { reply }) => sum + reply.inserted, 0)

/** Workers that insert, one call after the other, until they are told to stop. */
function insertAll(engine: PhaseEngine, kind: 'insertOne' | 'insertMany', workers: number) {
  const outcomes: Outcome[] = []
  let goesOn = true
  const work = async (): Promise<void> => {
    while (goesOn) {
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
      goesOn = false
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
    target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 3, server: { setParameters: lookOften } }), context)
    client = await MongoClient.connect(target.uri)
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
      await client.db('admin').command({ replSetStepDown: 5, force: true })
      const outcomes: Outcome[] = []
      const isDone = await comesTrue(async () => {
        outcomes.push(await call(engine, kind, structuredClone(args)))
        return outcomes.slice(-4).filter((outcome) => outcome.kind === 'ok').length === 4
      }, 60_000)
      await engine.close()
      expect(isDone).toBe(true)
      for (const outcome of outcomes) expect(outcome).toMatchObject(outcome.kind === 'ok' ? {} : { code: expect.stringMatching(/^(10107|189|11602|91|Mongo)/) })
    },
  )

  test.each(['insertOne', 'insertMany'] as const)(
    'whose primary is killed has what %s was told, and goes on with the next one',
    async (kind) => {
      await documents().deleteMany({})
      const engine = wireEngine(target.uri, { workers: 8 })
      await engine.warmUp()
      const { outcomes, okSince, stop } = insertAll(engine, kind, 8)
      expect(await comesTrue(() => okSince(0), 30_000)).toBe(true)
      const { me } = await client.db('admin').command({ hello: 1 })
      const primary = target.servers.find(({ address }) => address === me) ?? fail('no primary')
      process.kill(primary.pid, 'SIGKILL')
      const at = outcomes.length
      expect(await comesTrue(() => okSince(at + 100), 60_000)).toBe(true)
      await stop()
      await engine.close()
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
