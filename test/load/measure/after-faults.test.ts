import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Outcome } from '../../../src/load/engines/engine.ts'
import { AvailabilityRecord, slotMs } from '../../../src/load/measure/availability-record.ts'
import { type FaultImpact, faultImpacts } from '../../../src/load/measure/fault-impact.ts'
import { failedOutcome, okOutcome, unknownOutcome } from '../../fakes/fake-calls.ts'
import { forAll } from '../../fakes/for-all.ts'

const windowStartMs = 500

type Call = { readonly startMs: number; readonly endMs: number; readonly outcome?: Outcome }
type Fault = { readonly name?: string; readonly beganMs: number }

/** Times count from the start of the window. */
function recorded(calls: readonly Call[], faults: readonly Fault[], windowMs: number): FaultImpact[] {
  const record = new AvailabilityRecord(windowStartMs)
  for (const { startMs, endMs, outcome = okOutcome() } of calls)
    record.record(windowStartMs + startMs, windowStartMs + endMs, outcome)
  const begun = faults.map(({ name = 'kill', beganMs }) => ({ fault: name, beganMs: windowStartMs + beganMs }))
  return faultImpacts(record.take(), begun, { startMs: windowStartMs, endMs: windowStartMs + windowMs })
}

/** A call every 100 ms that takes 20 ms, but none between these times. */
const calls = (fromMs: number, toMs: number, outcome = okOutcome()): readonly Call[] =>
  Array.from({ length: (toMs - fromMs) / 100 }, (_, i) => ({
    startMs: fromMs + i * 100,
    endMs: fromMs + i * 100 + 20,
    outcome,
  }))

test('without a fault nothing is reported', () => expect(recorded(calls(0, 5000), [], 5000)).toEqual([]))

test('a fault costs the longest gap, the time to the first success, and the seconds without any', () => {
  const stuck = { startMs: 2500, endMs: 5300, outcome: unknownOutcome() }
  const story = [...calls(0, 2000), stuck, { startMs: 2600, endMs: 5400 }, ...calls(5500, 8000)]
  expect(recorded(story, [{ beganMs: 2000 }], 8000)).toEqual([
    {
      fault: 'kill',
      occurrence: 0,
      longestGapMs: 5400 - 1920,
      firstSuccessMs: 5400 - 2000,
      unavailableSeconds: 3,
      failed: 0,
      unknown: 1,
      errors: [expect.objectContaining({ name: 'DeadlineExceeded', count: 1 })],
    },
  ])
})

/** The same from the list of all calls, as the docstrings of the result say it. */
function naive(all: readonly Required<Call>[], faults: readonly Required<Fault>[], windowMs: number) {
  const ok = all.filter(({ outcome }) => outcome.kind === 'ok')
  const edges = [0, ...ok.map(({ endMs }) => endMs), windowMs]
  return faults.map(({ beganMs }, index) => {
    const untilMs = faults[index + 1]?.beganMs ?? Infinity
    const gaps = edges.slice(1).flatMap((endMs, i) => {
      const from = edges[i] ?? 0
      return endMs >= beganMs && from < untilMs ? [Math.min(endMs, untilMs) - from] : []
    })
    const sent = ok.filter(({ startMs }) => startMs >= beganMs).map(({ endMs }) => endMs - beganMs)
    const ended = all.filter(({ endMs }) => endMs >= beganMs && endMs < untilMs)
    const seconds = Array.from({ length: Math.floor(windowMs / 1000) }, (_, second) => second * 1000)
    const unavailable = seconds.filter(
      (at) =>
        at + 1000 > beganMs &&
        at + 1000 <= untilMs &&
        all.some(({ startMs, endMs }) => startMs < at + 1000 && endMs >= at) &&
        !ok.some(({ endMs }) => endMs >= at && endMs < at + 1000),
    )
    return {
      longestGapMs: gaps.length === 0 ? null : Math.max(...gaps),
      firstSuccessMs: sent.length === 0 ? null : Math.min(...sent),
      unavailableSeconds: unavailable.length,
      failed: ended.filter(({ outcome }) => outcome.kind === 'failed').length,
      unknown: ended.filter(({ outcome }) => outcome.kind === 'unknown').length,
    }
  })
}

/**
 * A record knows to which slot a failure and the start of a call belong, and not where in it: so all of a slot happens at one
 * moment, and nothing is lost.
 */
const slots = (maxMs: number): fc.Arbitrary<number> => fc.nat({ max: maxMs / slotMs }).map((slot) => slot * slotMs)

test('whatever ends when, the numbers are those of all calls', () => {
  const call = fc.record({
    endMs: slots(12_000),
    lasted: fc.oneof(slots(100), slots(4000)),
    outcome: fc.constantFrom(okOutcome(), okOutcome(), failedOutcome(), unknownOutcome()),
  })
  forAll(
    fc.array(call, { maxLength: 60 }),
    fc.uniqueArray(slots(12_000), { minLength: 1, maxLength: 4 }),
    (drawn, began) => {
      const all = drawn
        .map(({ endMs, lasted, outcome }) => ({ startMs: Math.max(0, endMs - lasted), endMs, outcome }))
        .toSorted((one, other) => one.endMs - other.endMs)
      const faults = began.toSorted((one, other) => one - other).map((beganMs) => ({ name: 'kill', beganMs }))
      const windowMs = Math.max(0, ...all.map(({ endMs }) => endMs))
      const expected = naive(all, faults, windowMs)
      expect(recorded(all, faults, windowMs)).toMatchObject(expected)
    },
  )
})

test('calls that were under way when a fault began count before it or after it by when they ended', () => {
  const story = [
    { startMs: 880, endMs: 900 },
    { startMs: 950, endMs: 970, outcome: failedOutcome() },
    { startMs: 1100, endMs: 1300 },
  ]
  expect(recorded(story, [{ beganMs: 1000 }], 1300)).toMatchObject([
    { longestGapMs: 400, firstSuccessMs: 300, failed: 0 },
  ])
})

describe('within the slot in which a fault begins', () => {
  const began = { beganMs: 2000 + slotMs - 2 }

  test('failures count as its own, also those that ended just before it', () => {
    const failures = [1999, 2000, 2004, 2005].map((endMs) => ({ startMs: 1900, endMs, outcome: failedOutcome() }))
    expect(recorded([...calls(0, 1900), ...failures], [began], 3000)[0]).toMatchObject({ failed: 3 })
    const faults = [{ beganMs: 1000 }, began]
    expect(recorded([...calls(0, 1900), ...failures], faults, 3000)).toMatchObject([{ failed: 1 }, { failed: 3 }])
  })

  test('calls were sent before it: the first success is that of a call sent in a later slot', () => {
    const story = [...calls(0, 1900), { startMs: 2004, endMs: 2020 }, { startMs: 2006, endMs: 2030 }]
    expect(recorded(story, [began], 3000)[0]?.firstSuccessMs).toBe(2030 - began.beganMs)
  })

  test('gaps between successes are not seen, and longer ones are exact', () => {
    const story = [1800.5, 2000.5, 2001, 2004.5, 2100.25].map((endMs) => ({ startMs: endMs - 1, endMs }))
    expect(recorded(story, [{ beganMs: 2000 }, { beganMs: 2002 }], 2150)).toMatchObject([
      { longestGapMs: 2000.5 - 1800.5 },
      { longestGapMs: 2100.25 - 2004.5 },
    ])
  })
})
