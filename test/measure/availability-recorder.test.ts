import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Outcome } from '../../src/engines/engine.ts'
import { type AfterFault, AvailabilityRecorder } from '../../src/measure/availability-recorder.ts'
import { failedOutcome, okOutcome, unknownOutcome } from '../fakes/fake-calls.ts'

const windowStartMs = 500

type Call = { readonly startMs: number; readonly endMs: number; readonly outcome?: Outcome }
type Fault = { readonly name?: string; readonly beganMs: number }

/** Times count from the start of the window. A fault is told of as soon as it begins, before calls that end later. */
function recorded(calls: readonly Call[], faults: readonly Fault[], windowMs: number): AfterFault[] {
  const recorder = new AvailabilityRecorder()
  recorder.start(windowStartMs)
  const waiting = [...faults]
  for (const { startMs, endMs, outcome = okOutcome() } of calls) {
    while (waiting[0] !== undefined && waiting[0].beganMs <= endMs) tell(recorder, waiting.shift())
    recorder.record(windowStartMs + startMs, windowStartMs + endMs, outcome)
  }
  for (const fault of waiting) tell(recorder, fault)
  return recorder.finish(windowStartMs + windowMs)
}

function tell(recorder: AvailabilityRecorder, fault: Fault | undefined): void {
  if (fault !== undefined) recorder.faultBegan(fault.name ?? 'kill', windowStartMs + fault.beganMs)
}

/** A call every 100 ms that takes 20 ms, but none between these times. */
const calls = (fromMs: number, toMs: number, outcome = okOutcome()): readonly Call[] =>
  Array.from({ length: (toMs - fromMs) / 100 }, (_, i) => ({
    startMs: fromMs + i * 100,
    endMs: fromMs + i * 100 + 20,
    outcome,
  }))

test('without a fault there is nothing to tell', () => {
  expect(recorded(calls(0, 5000), [], 5000)).toEqual([])
})

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

test('the answer to a call that was sent before the fault is no first success', () => {
  const story = [...calls(0, 2000), { startMs: 1900, endMs: 2100 }, { startMs: 2050, endMs: 2700 }]
  expect(recorded(story, [{ beganMs: 2000 }], 3000)[0]).toMatchObject({ firstSuccessMs: 700, longestGapMs: 600 })
})

test('what never succeeds again has no first success, and its gap reaches to the end of the window', () => {
  const failing = calls(2000, 6000, failedOutcome())
  expect(recorded([...calls(0, 2000), ...failing], [{ beganMs: 2000 }], 6000)[0]).toMatchObject({
    firstSuccessMs: null,
    longestGapMs: 6000 - 1920,
    unavailableSeconds: 4,
    failed: 40,
  })
})

test('a gap over the beginning of a fault counts whole for it, and for the one before up to there', () => {
  const story = [
    ...calls(0, 2000),
    { startMs: 2100, endMs: 2200, outcome: failedOutcome() },
    { startMs: 2100, endMs: 3500, outcome: failedOutcome() },
    ...calls(4000, 6000),
  ]
  const faults = [
    { name: 'kill', beganMs: 2000 },
    { name: 'pause', beganMs: 3000 },
    { name: 'kill', beganMs: 5000 },
  ]
  expect(recorded(story, faults, 6000)).toMatchObject([
    { fault: 'kill', occurrence: 0, longestGapMs: 3000 - 1920, failed: 1, unavailableSeconds: 1 },
    { fault: 'pause', occurrence: 0, longestGapMs: 4020 - 1920, failed: 1, unavailableSeconds: 1 },
    { fault: 'kill', occurrence: 1, longestGapMs: 100, failed: 0, unavailableSeconds: 0 },
  ])
})

describe('a second counts as unavailable', () => {
  test('not when no call was due', () => {
    expect(recorded([...calls(0, 2000), ...calls(5000, 6000)], [{ beganMs: 1000 }], 6000)[0]).toMatchObject({
      unavailableSeconds: 0,
      longestGapMs: 5020 - 1920,
    })
  })

  test('not before the first fault', () => {
    const failing = calls(0, 3000, failedOutcome())
    expect(recorded([...failing, ...calls(3000, 5000)], [{ beganMs: 3500 }], 5000)[0]).toMatchObject({
      unavailableSeconds: 0,
    })
  })

  test('only when the window holds all of it', () => {
    const failing = calls(2000, 3900, failedOutcome())
    expect(recorded([...calls(0, 2000), ...failing], [{ beganMs: 2000 }], 3920)[0]).toMatchObject({
      unavailableSeconds: 1,
    })
  })
})

test('a fault after the last call has no gap', () => {
  expect(recorded(calls(0, 2000), [{ beganMs: 2500 }], 2000)[0]).toMatchObject({
    longestGapMs: null,
    firstSuccessMs: null,
    unavailableSeconds: 0,
  })
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

test('whatever ends when, the numbers are those of all calls', () => {
  const call = fc.record({
    endMs: fc.nat({ max: 12_000 }),
    lasted: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 4000 })),
    outcome: fc.constantFrom(okOutcome(), okOutcome(), failedOutcome(), unknownOutcome()),
  })
  fc.assert(
    fc.property(
      fc.array(call, { maxLength: 60 }),
      fc.uniqueArray(fc.nat({ max: 12_000 }), { minLength: 1, maxLength: 4 }),
      (drawn, began) => {
        const all = drawn
          .map(({ endMs, lasted, outcome }) => ({ startMs: Math.max(0, endMs - lasted), endMs, outcome }))
          .toSorted((one, other) => one.endMs - other.endMs)
        const faults = began.toSorted((one, other) => one - other).map((beganMs) => ({ name: 'kill', beganMs }))
        const windowMs = Math.max(0, ...all.map(({ endMs }) => endMs))
        const expected = naive(all, faults, windowMs)
        expect(recorded(all, faults, windowMs)).toMatchObject(expected)
      },
    ),
  )
})

test('calls of threads may be told of a little after the fault, and still count before it', () => {
  const recorder = new AvailabilityRecorder()
  recorder.start(0)
  recorder.faultBegan('kill', 1000)
  recorder.record(880, 900, okOutcome())
  recorder.record(950, 970, failedOutcome())
  recorder.record(1100, 1300, okOutcome())
  expect(recorder.finish(1300)).toMatchObject([{ longestGapMs: 400, firstSuccessMs: 300, failed: 0 }])
})
