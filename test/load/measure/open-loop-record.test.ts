import { describe, expect, test } from 'vitest'
import { type Outcome } from '../../../src/load/engines/engine.ts'
import { noArguments } from '../../../src/load/engines/intent.ts'
import { PhaseRecorder } from '../../../src/load/measure/phase-part.ts'
import { PhaseTotal } from '../../../src/load/measure/phase-total.ts'
import { failedOutcome, fakeOperation, fakePhase, okOutcome, unknownOutcome } from '../../fakes/fake-calls.ts'
import { openLoad } from '../../fakes/random-calls.ts'

const startMs = 5000

const phase = fakePhase({ load: openLoad, operations: [fakeOperation(), fakeOperation({ name: 'write' })] })

type Answer = {
  readonly plannedMs: number
  readonly waitMs?: number
  readonly serviceMs?: number
  readonly operation?: number
  readonly outcome?: Outcome
}

/** Times are counted from the start of the window. */
function record(answers: readonly Answer[], dropped: readonly number[] = []) {
  const recorder = new PhaseRecorder(phase, startMs)
  for (const ms of dropped) recorder.recordDropped(startMs + ms)
  for (const { plannedMs, waitMs = 0, serviceMs = 1, operation = 0, outcome = okOutcome() } of answers) {
    const sentMs = startMs + plannedMs + waitMs
    const call = { operation, args: noArguments, bytes: 0, documents: 1, number: 0 }
    recorder.record(call, sentMs, sentMs + serviceMs, outcome)
    recorder.recordArrival(call, startMs + plannedMs, sentMs, sentMs + serviceMs, outcome)
  }
  const total = new PhaseTotal(phase)
  total.add(recorder.take())
  const [read, write] = total.operations()
  return { all: total.openLoop({ seconds: 4, peakInFlight: 1 }), read: read?.openLoop, write: write?.openLoop }
}

test('response is wait and service together, for each operation and for all', () => {
  const { all, read, write } = record([
    { plannedMs: 0, waitMs: 0.5, serviceMs: 2 },
    { plannedMs: 10, waitMs: 1.5, serviceMs: 8, operation: 1 },
  ])
  expect(read).toMatchObject({ wait: { count: 1, maxMs: 0.5 }, response: { count: 1, maxMs: 2.5 } })
  expect(write).toMatchObject({ wait: { count: 1, maxMs: 1.5 }, response: { count: 1, maxMs: 9.5 } })
  expect(all).toMatchObject({ wait: { count: 2, meanMs: 1 }, response: { count: 2, minMs: 2.5, maxMs: 9.5 } })
})

test('calls that did not succeed were sent too, but have no response time', () => {
  const outcomes = [okOutcome(), failedOutcome(), unknownOutcome()]
  const { all, read } = record(outcomes.map((outcome, i) => ({ plannedMs: i, waitMs: 3, outcome })))
  expect(all).toMatchObject({ planned: 3, sent: 3, late: 3, wait: { count: 3 }, response: { count: 1 } })
  expect(read?.late).toBe(3)
})

test('a call is late from more than 2 ms on', () =>
  expect(record([1.9, 2, 2.1, 50].map((waitMs) => ({ plannedMs: 0, waitMs }))).all?.late).toBe(2))

test('calls that were dropped were planned, but not sent', () => {
  const { all } = record([{ plannedMs: 100 }, { plannedMs: 2100 }], [150, 160, 2200])
  expect(all).toMatchObject({ planned: 5, sent: 2, dropped: 3 })
  expect(all?.perSecond).toMatchObject({ planned: [3, 0, 2], dropped: [2, 0, 1] })
})

test('responses stand in the second in which they come, and calls in that for which they were planned', () => {
  const { all, write } = record([
    { plannedMs: 100, serviceMs: 2 },
    { plannedMs: 200, serviceMs: 2400, operation: 1 },
  ])
  expect(all?.perSecond).toEqual({
    responseP50Ms: [2, null, 2400],
    responseP99Ms: [2, null, 2400],
    responseMaxMs: [2, null, 2400],
    planned: [2],
    dropped: [0],
  })
  expect(write?.perSecond.responseMaxMs).toEqual([null, null, 2400])
})

test('it shows what was asked for, how long calls were sent, and how many were in flight at most', () =>
  expect(new PhaseTotal(phase).openLoop({ seconds: 2.5, peakInFlight: 3 })).toMatchObject({
    arrivals: 'constant',
    ratePerSecond: 100,
    seconds: 2.5,
    maxInFlight: 4,
    peakInFlight: 3,
  }))

describe('nothing is known', () => {
  test('of a loop that sent nothing', () => {
    const total = new PhaseTotal(phase)
    expect(total.operations()[0]?.openLoop).toMatchObject({ wait: null, response: null, late: 0 })
    expect(total.openLoop({ seconds: 0, peakInFlight: 0 })).toMatchObject({
      planned: 0,
      sent: 0,
      seconds: 0,
      wait: null,
    })
  })

  test('of a closed loop', () => {
    const total = new PhaseTotal(fakePhase())
    expect(total.operations()[0]?.openLoop).toBeNull()
    expect(total.openLoop({ seconds: 4, peakInFlight: 1 })).toBeNull()
  })
})
