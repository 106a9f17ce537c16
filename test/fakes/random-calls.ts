import * as fc from 'fast-check'
import { emptyReply, type Outcome, type Reply, type StepOutcome } from '../../src/load/engines/engine.ts'
import { noArguments } from '../../src/load/engines/intent.ts'
import { type PhaseRecorder } from '../../src/load/measure/phase-part.ts'
import { type OperationPlan, type PhasePlan } from '../../src/load/plan/plan.ts'
import { fakeOperation, fakePhase } from './fake-calls.ts'

/** Settings of a transaction. */
export const settings = {
  runner: 'managed',
  maxAttempts: 5,
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  readPreference: { mode: 'primary' },
} as const

const read = fakeOperation({ name: 'read', expectDocuments: 3 })
const insert = fakeOperation({ name: 'insert', reply: 'insertMany', carriesDocuments: true, documentsPerCall: 10 })
const update = fakeOperation({ name: 'update', reply: 'update' })

/** One of every kind of operation. */
const operations: readonly OperationPlan[] = [
  read,
  insert,
  { name: 'both', kind: 'steps', steps: [read, insert] },
  { name: 'transfer', kind: 'transaction', steps: [update, insert], transaction: settings },
]

/** A phase that records all that can be recorded. */
export const everyRecord = (load: PhasePlan['load']): PhasePlan =>
  fakePhase({ operations, load, keepSamples: 5, faults: [{ name: 'kill' }] as never })

export const openLoad: PhasePlan['load'] = {
  kind: 'open',
  arrivals: 'constant',
  maxInFlight: 4,
  ratePerSecond: 100,
  cooldown: undefined,
  times: () => () => undefined,
}

const replyOf = (counts: Partial<Reply>): Reply => ({ ...emptyReply, ...counts })

const reply: fc.Arbitrary<Reply> = fc
  .record({ documents: fc.nat(5), bytes: fc.nat(500), matched: fc.nat(3), inserted: fc.nat(10), deleted: fc.nat(2) })
  .map(replyOf)

/** Few codes and messages, so that many errors are equal in part. */
const failure: fc.Arbitrary<Outcome> = fc.record({
  kind: fc.constantFrom('failed', 'unknown'),
  code: fc.constantFrom('1', '2'),
  name: fc.constantFrom('One', 'Two'),
  message: fc.constantFrom('a', 'b'),
  labels: fc.constantFrom([], ['RetryableWriteError']),
  reply,
})

const ok: fc.Arbitrary<Outcome> = reply.map((given) => ({ kind: 'ok', reply: given }))
const aborted: fc.Arbitrary<Outcome> = fc
  .constantFrom('overdraft', 'notFound')
  .map((reason) => ({ kind: 'aborted', reason, reply: emptyReply }))

const plain = fc.oneof({ weight: 3, arbitrary: ok }, failure)
const ms = (max: number): fc.Arbitrary<number> => fc.nat(max * 1000).map((us) => us / 1000)

const stepOf = (step: number): fc.Arbitrary<StepOutcome> =>
  fc.record({
    step: fc.constant(step),
    ms: ms(100),
    bytes: fc.nat(1000),
    outcome: fc.option(plain, { nil: undefined }),
  })

const withSteps = (whole: fc.Arbitrary<Outcome>): fc.Arbitrary<Outcome> =>
  fc.tuple(whole, fc.tuple(stepOf(0), stepOf(1))).map(([outcome, steps]) => Object.assign({ steps }, outcome))

const transaction = fc.record({
  attempts: fc.nat(3),
  conflicts: fc.nat(2),
  commitRetries: fc.nat(2),
  firstTryMs: fc.option(ms(50)),
  commitMs: fc.option(ms(50)),
})

const inTransaction: fc.Arbitrary<Outcome> = fc
  .tuple(withSteps(fc.oneof(plain, aborted)), transaction)
  .map(([outcome, took]) => Object.assign({ transaction: took }, outcome))

/** What a recorder sees. Times are counted from the start of the window. */
export type Seen = {
  readonly endMs: number
  readonly serviceMs: number
  readonly waitMs: number
  readonly operation: number
  readonly bytes: number
  readonly documents: number
  /** Undefined: an arrival that was dropped. */
  readonly outcome: Outcome | undefined
  readonly number: number
}

const seenOf = (operation: number, outcome: fc.Arbitrary<Outcome>): fc.Arbitrary<Omit<Seen, 'number'>> =>
  fc.record({
    // Often in the same moment, as calls of several threads may end.
    endMs: fc.oneof(ms(5000), fc.constantFrom(999.999, 1000, 2500)),
    serviceMs: fc.oneof(ms(5), ms(3000), fc.constantFrom(0, 700_000)),
    waitMs: ms(5),
    operation: fc.constant(operation),
    bytes: fc.nat(1000),
    documents: fc.nat(10),
    outcome: fc.option(outcome, { nil: undefined, freq: 10 }),
  })

/** Calls of all kinds, in the order in which they end. Their numbers are in another order. */
export const randomCalls: fc.Arbitrary<readonly Seen[]> = fc
  .array(
    fc.tuple(
      fc.oneof(seenOf(0, plain), seenOf(1, plain), seenOf(2, withSteps(plain)), seenOf(3, inTransaction)),
      fc.nat(),
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((drawn) => {
    const byNumber = drawn
      .toSorted(([, one], [, other]) => one - other)
      .map(([seen], number) => Object.assign({ number }, seen))
    return byNumber.toSorted((one, other) => one.endMs - other.endMs)
  })

/** @param between Called between a call and its arrival, where an open loop may hand over a part. */
export function recordSeen(
  recorder: PhaseRecorder,
  { load }: Pick<PhasePlan, 'load'>,
  { endMs, serviceMs, waitMs, outcome, ...drawn }: Seen,
  windowStartMs: number,
  between: () => void,
): void {
  const [nowMs, call] = [windowStartMs + endMs, { ...drawn, args: noArguments }]
  const sentMs = Math.max(windowStartMs, nowMs - serviceMs)
  const plannedMs = Math.max(windowStartMs, sentMs - waitMs)
  if (outcome !== undefined) recorder.record(call, sentMs, nowMs, outcome)
  between()
  if (load.kind !== 'open') return
  if (outcome === undefined) recorder.recordDropped(plannedMs)
  else recorder.recordArrival(call, plannedMs, sentMs, nowMs, outcome)
}
