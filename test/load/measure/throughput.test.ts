import { expect, test } from 'vitest'
import { noArguments } from '../../../src/load/engines/intent.ts'
import { noPart, PhaseRecorder } from '../../../src/load/measure/phase-part.ts'
import { ThroughputRecord, wholeCall } from '../../../src/load/measure/throughput-record.ts'
import { ThroughputTotal } from '../../../src/load/measure/throughput-total.ts'
import { failedOutcome, fakePhase, okOutcome } from '../../fakes/fake-calls.ts'

const windowStartMs = 5000

/** Credits of calls, their times counted from the start of the window, in calls. */
function creditsOf(...calls: readonly (readonly [startMs: number, endMs: number])[]): Record<number, number> {
  const record = new ThroughputRecord(windowStartMs)
  for (const [startMs, endMs] of calls) record.add(windowStartMs + startMs, windowStartMs + endMs)
  return Object.fromEntries([...record.take()].map(([bin, credit]) => [bin, credit / wholeCall]))
}

test('short calls count in the bin in which they are made', () =>
  expect(creditsOf([10, 20], [30, 99], [110, 120], [320, 330])).toEqual({ 0: 2, 1: 1, 3: 1 }))

test('a long call counts in equal parts over its time', () =>
  expect(creditsOf([50, 450])).toEqual({ 0: 0.125, 1: 0.25, 2: 0.25, 3: 0.25, 4: 0.125 }))

test('calls of several workers add up, whichever ends first', () =>
  expect(creditsOf([150, 160], [50, 250], [160, 180], [250, 260])).toEqual({ 0: 0.25, 1: 2.5, 2: 1.25 }))

test('the parts of a call that cannot be split evenly add up to the whole', () => {
  const parts = Object.values(creditsOf([33, 33 + 700 / 3]))
  expect(parts).toHaveLength(3)
  expect(parts.reduce((sum, part) => sum + Math.round(part * wholeCall), 0)).toBe(wholeCall)
})

test('a call that ends on a border of bins leaves nothing behind it', () => {
  expect(creditsOf([0, 100])).toEqual({ 0: 1 })
  expect(creditsOf([100, 100])).toEqual({ 1: 1 })
})

test('only successful calls are throughput', () => {
  const recorder = new PhaseRecorder(fakePhase(), 0)
  const call = { operation: 0, args: noArguments, bytes: 0, documents: 20, number: 0 }
  recorder.record(call, 0, 50, okOutcome())
  recorder.record(call, 0, 60, failedOutcome())
  const total = new ThroughputTotal()
  total.add(recorder.take())
  expect(total.series(1000)).toEqual({
    binMs: 100,
    calls: [1, 0, 0, 0, 0, 0, 0, 0, 0],
    documentsPerCall: 20,
    meanLatencyMs: 50,
  })
})

test('a window of hours has longer bins, and the same calls', () => {
  const total = new ThroughputTotal()
  const bins = 20_000
  for (let bin = 0; bin < bins; bin += 1)
    total.add({ ...noPart(fakePhase()), calls: 1, throughput: new Map([[bin, wholeCall]]) })
  const { binMs, calls } = total.series(bins * 100)
  expect(binMs).toBe(400)
  expect(calls).toEqual(Array.from({ length: bins / 4 }, () => 4))
})

test('a phase without calls has no throughput', () => {
  expect(new ThroughputTotal().series(0).calls).toEqual([])
  expect(new ThroughputTotal().series(200).calls).toEqual([0, 0])
})
