import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../../bench/start/mongod.ts'
import { comesTrue } from '../../../../bench/start/wait.ts'
import { type Outcome, type PhaseEngine } from '../../../../src/load/engines/engine.ts'
import { getOperation } from '../../../../src/spec/operations/index.ts'
import { fail } from '../../../fakes/fail.ts'
import { fakeOperation, sendTo } from '../../../fakes/fake-calls.ts'
import { engineOf } from './both-engines.ts'

const kinds = ['insertOne', 'insertMany', 'findOne', 'find'] as const
const deadlineMs = 1000
// A busy machine answers late; without deadlines the driver would wait for 30 s.
const slackMs = 20_000

const kindsOf = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ kind }) => kind)
const all = (kind: unknown): unknown => kinds.map(() => kind)

describe.each([
  ['driver', expect.any(String), expect.stringMatching(/^(failed|unknown)$/)],
  ['wire', 'DeadlineExceeded', 'failed'],
] as const)('through the engine %s a server that hangs', (name, code, later) => {
  let frozen: TestMongod
  let engine: PhaseEngine

  beforeEach(async () => {
    frozen = await startTestMongod(inject('mongodPath'))
    const operations = kinds.map((kind) => fakeOperation({ kind, reply: getOperation(kind).reply }))
    engine = engineOf(name, frozen.uri, 'hanging', { workers: 4, deadlineMs, operations })
    if (!(await comesTrue(isWarmed, 60_000))) fail('no open pool')
  })

  /** Not in one go on a machine that stands still for longer than the deadline. */
  const isWarmed = (): Promise<boolean> =>
    engine.warmUp().then(
      () => true,
      () => false,
    )

  afterEach(async () => {
    frozen.thaw()
    await engine.close()
    await frozen[Symbol.asyncDispose]()
  })

  // Built anew each time: the driver writes the `_id` that it makes into the document.
  const send = (operation: number): Promise<Outcome> =>
    sendTo(engine, { operation, args: { document: {}, documents: [{}, {}], filter: {}, options: {} }, bytes: 0 })
  const sendAll = (): Promise<Outcome[]> => Promise.all(kinds.map((_, operation) => send(operation)))

  test('gives unknown outcomes at the deadline, and calls are made again when it is back', async () => {
    await frozen.freeze()
    const startMs = performance.now()
    const first = await sendAll()
    const firstMs = performance.now()
    const second = await sendAll()
    expect(first).toMatchObject(all({ kind: 'unknown', code, reply: { documents: 0 } }) as object[])
    expect(kindsOf(second)).toEqual(all(later))
    for (const ms of [firstMs - startMs, performance.now() - firstMs]) expect(ms).toBeLessThan(deadlineMs + slackMs)
    frozen.thaw()
    let last: readonly Outcome[] = []
    await comesTrue(async () => kindsOf((last = await sendAll())).every((kind) => kind === 'ok'), 60_000)
    expect(kindsOf(last)).toEqual(all('ok'))
    expect(last[0]).toMatchObject({ reply: { documents: 1, inserted: 1 } })
  })

  test('and dies gives outcomes, never an exception', async () => {
    await frozen.freeze()
    const inFlight = sendAll()
    frozen.kill()
    expect(kindsOf(await inFlight)).toEqual(all('unknown'))
    expect(kindsOf(await sendAll())).toEqual(all('failed'))
  })

  test('ends calls as unknown when the engine is closed meanwhile', async () => {
    await frozen.freeze()
    const underWay = sendAll()
    const closing = engine.close()
    expect(await underWay).toMatchObject(all({ kind: 'unknown', reply: { documents: 0 } }) as object[])
    expect(await send(0)).toMatchObject({ kind: later })
    frozen.thaw()
    await closing
  })
})
