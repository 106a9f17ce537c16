import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeAvailability } from '../../../src/load/measure/availability-record.ts'
import { mergeCalls } from '../../../src/load/measure/call-record.ts'
import { mergeErrors } from '../../../src/load/measure/error-counts.ts'
import { faultImpacts } from '../../../src/load/measure/fault-impact.ts'
import { mergeSamples } from '../../../src/load/measure/kept-samples.ts'
import { mergeLatencies } from '../../../src/load/measure/latency.ts'
import { mergeArrivals, mergePlanTimes } from '../../../src/load/measure/open-loop-record.ts'
import { mergeOperations, type OperationPart } from '../../../src/load/measure/operation-record.ts'
import { mergeParts, type PhasePart, PhaseRecorder } from '../../../src/load/measure/phase-part.ts'
import { PhaseTotal } from '../../../src/load/measure/phase-total.ts'
import { mergeSeconds } from '../../../src/load/measure/second-rows.ts'
import { mergeThroughput } from '../../../src/load/measure/throughput-record.ts'
import { mergeTransactions } from '../../../src/load/measure/transaction-record.ts'
import { type PhasePlan } from '../../../src/load/plan/plan.ts'
import { forAll } from '../../fakes/for-all.ts'
import { everyRecord, openLoad, randomCalls, recordSeen, type Seen } from '../../fakes/random-calls.ts'

const windowStartMs = 500

/** The same calls, seen by one recorder. */
function partOf(phase: PhasePlan, calls: readonly Seen[]): PhasePart {
  const recorder = new PhaseRecorder(phase, windowStartMs)
  for (const call of calls) recordSeen(recorder, phase, call, windowStartMs, () => {})
  return recorder.take()
}

/** Compares as Node.js does, three times as fast here, and shows the difference where there is one. */
function expectSame(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toStrictEqual(other)
}

/** Merges the parts of three recorders in different orders. @returns how many. */
type CompareOrders = (first: PhasePart, second: PhasePart, third: PhasePart) => number

function inAnyOrder<Part>(
  of: (part: PhasePart) => readonly (Part | undefined)[],
  merge: (parts: readonly Part[]) => Part | undefined,
): CompareOrders {
  return (...parts) => {
    const [first = [], second = [], third = []] = parts.map(of)
    let compared = 0
    for (const [i, a] of first.entries()) {
      const [b, c] = [second[i], third[i]]
      if (a === undefined || b === undefined || c === undefined) continue
      compared += 1
      const whole = merge([a, b, c])
      expectSame(merge([c, b, a]), whole)
      expectSame(merge([merge([a, b]) ?? a, c]), whole)
      expectSame(merge([a, merge([b, c]) ?? b]), whole)
    }
    return compared
  }
}

const ofEach =
  <Part>(of: (operation: OperationPart) => Part) =>
  ({ operations }: PhasePart): readonly Part[] =>
    operations.map(of)

const merges: Readonly<Record<string, CompareOrders>> = {
  latencies: inAnyOrder(
    ({ operations }) => operations.flatMap(({ calls: { latency } }) => [latency.ok, latency.failed, latency.unknown]),
    mergeLatencies,
  ),
  errors: inAnyOrder(
    ofEach(({ calls }) => calls.errors),
    mergeErrors,
  ),
  calls: inAnyOrder(
    ofEach(({ calls }) => calls),
    mergeCalls,
  ),
  seconds: inAnyOrder(
    ofEach(({ seconds }) => seconds),
    mergeSeconds,
  ),
  samples: inAnyOrder(
    ofEach(({ samples }) => samples),
    mergeSamples,
  ),
  transactions: inAnyOrder(
    ofEach(({ transaction }) => transaction),
    mergeTransactions,
  ),
  'times since the plan': inAnyOrder(
    ofEach(({ planTimes }) => planTimes),
    mergePlanTimes,
  ),
  operations: inAnyOrder(
    ofEach((operation) => operation),
    mergeOperations,
  ),
  arrivals: inAnyOrder(({ arrivals }) => [arrivals], mergeArrivals),
  availability: inAnyOrder(({ availability }) => [availability], mergeAvailability),
  throughput: inAnyOrder(({ throughput }) => [throughput], mergeThroughput),
  phases: inAnyOrder((whole) => [whole], mergeParts),
}

test('all that is recorded merges into the same whole in whatever order', () => {
  const phase = everyRecord(openLoad)
  const part = randomCalls.map((calls) => partOf(phase, calls))
  const compared = Object.fromEntries(Object.keys(merges).map((name) => [name, 0]))
  forAll(part, part, part, (...parts) => {
    for (const [name, compareOrders] of Object.entries(merges))
      compared[name] = (compared[name] ?? 0) + compareOrders(...parts)
  })
  expect(Object.entries(compared).filter(([, count]) => count <= 50)).toEqual([])
})

/** All that a phase reports of its calls. */
function resultsOf(total: PhaseTotal, faultsAtMs: readonly number[]) {
  const faults = faultsAtMs.map((ms) => ({ fault: 'kill', beganMs: windowStartMs + ms }))
  return {
    operations: total.operations(),
    throughput: total.throughput(5000),
    openLoop: total.openLoop({ seconds: 5, peakInFlight: 2 }),
    afterFaults: faultImpacts(total.availability, faults, { startMs: windowStartMs, endMs: windowStartMs + 5000 }),
  }
}

/** Where a call goes, and whether a part is taken once it is recorded: before its arrival, or after it. */
type Turn = { readonly recorder: number; readonly take: 'no' | 'before the arrival' | 'after it' }

/** The parts of several recorders that share the calls. */
function partsOf(phase: PhasePlan, calls: readonly Seen[], turns: readonly Turn[], recorders: number): PhasePart[] {
  const all = Array.from({ length: recorders }, () => new PhaseRecorder(phase, windowStartMs))
  const parts: PhasePart[] = []
  for (const [i, call] of calls.entries()) {
    const { recorder: drawn = 0, take = 'no' } = turns[i % turns.length] ?? {}
    const recorder = all[drawn % recorders]
    if (recorder === undefined) continue
    recordSeen(recorder, phase, call, windowStartMs, () => {
      if (take === 'before the arrival') parts.push(recorder.take())
    })
    if (take === 'after it') parts.push(recorder.take())
  }
  return [...parts, ...all.map((recorder) => recorder.take())]
}

/** No second before this one is in any of these parts. */
const completeBefore = (parts: readonly PhasePart[]): number =>
  Math.min(
    ...parts.flatMap(({ operations }) =>
      operations.flatMap(({ seconds, planTimes }) =>
        [...seconds, ...(planTimes?.seconds ?? [])].map(({ second }) => second),
      ),
    ),
  )

type Step = {
  readonly order: number
  /** What happens to the part on its way to the total. */
  readonly joinsNext: boolean
  readonly closes: boolean
}

/** Adds parts in the order of the steps, some of them merged with the next one, and closes what is complete. */
function totalOf(phase: PhasePlan, parts: readonly PhasePart[], steps: readonly Step[]): PhaseTotal {
  const total = new PhaseTotal(phase)
  const stepOf = (index: number): Step | undefined => steps[index % steps.length]
  const waiting = parts
    .map((part, index) => ({ part, step: stepOf(index) }))
    .toSorted((one, other) => (one.step?.order ?? 0) - (other.step?.order ?? 0))
  while (waiting.length > 0) {
    const { part, step } = waiting.shift() ?? {}
    if (part === undefined) break
    const next = step?.joinsNext === true ? waiting.shift() : undefined
    total.add(next === undefined ? part : mergeParts([part, next.part]))
    if (step?.closes === true) total.closeBefore(completeBefore(waiting.map((later) => later.part)))
  }
  return total
}

describe.each([
  ['closed', { kind: 'closed' }],
  ['open', openLoad],
] as const)('of a %s loop', (_, load) => {
  const phase = everyRecord(load)
  const turn: fc.Arbitrary<Turn> = fc.record({
    recorder: fc.nat(3),
    take: fc.constantFrom('no', 'no', 'no', 'before the arrival', 'after it'),
  })
  const step: fc.Arbitrary<Step> = fc.record({ order: fc.nat(), joinsNext: fc.boolean(), closes: fc.boolean() })
  const faults = fc.array(fc.nat(5000), { maxLength: 3 }).map((began) => began.toSorted((one, other) => one - other))

  test('recorders that share the calls give together what one that saw them all does', () =>
    forAll(
      randomCalls,
      fc.array(turn, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { minLength: 1, maxLength: 20 }),
      faults,
      (calls, turns, recorders, steps, faultsAtMs) => {
        const whole = new PhaseTotal(phase)
        whole.add(partOf(phase, calls))
        const shared = totalOf(phase, partsOf(phase, calls, turns, recorders), steps)
        expect(resultsOf(shared, faultsAtMs)).toStrictEqual(resultsOf(whole, faultsAtMs))
      },
    ))

  test('a part that crosses a thread gives the same results', () =>
    forAll(randomCalls, faults, (calls, faultsAtMs) => {
      const part = partOf(phase, calls)
      const [here, there] = [new PhaseTotal(phase), new PhaseTotal(phase)]
      here.add(part)
      there.add(structuredClone(part))
      expect(resultsOf(there, faultsAtMs)).toStrictEqual(resultsOf(here, faultsAtMs))
    }))
})
