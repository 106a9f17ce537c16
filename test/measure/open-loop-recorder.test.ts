import { describe, expect, test } from 'vitest'
import { type Outcome } from '../../src/engines/engine.ts'
import { noArguments } from '../../src/engines/intent.ts'
import { recordArrivals } from '../../src/measure/open-loop-recorder.ts'
import { type LoadPlan } from '../../src/plan/plan.ts'
import { failedOutcome, fakeOperation, okOutcome, unknownOutcome } from '../fakes/fake-calls.ts'
import { fakeOperationResult } from '../fakes/fake-phase-result.ts'

const startMs = 5000

const load: LoadPlan = {
  kind: 'open',
  arrivals: 'constant',
  maxInFlight: 4,
  ratePerSecond: 100,
  cooldown: undefined,
  times: () => () => undefined,
}

type Answer = {
  readonly plannedMs: number
  readonly waitMs?: number
  readonly serviceMs?: number
  readonly operation?: number
  readonly outcome?: Outcome
}

/** Times are counted from the start of the window. */
function record(answers: readonly Answer[], dropped: readonly number[] = []) {
  const recorder = recordArrivals({ load, operations: [fakeOperation(), fakeOperation({ name: 'write' })] })
  recorder.start(startMs)
  for (const ms of dropped) recorder.dropped(startMs + ms)
  for (const { plannedMs, waitMs = 0, serviceMs = 1, operation = 0, outcome = okOutcome() } of answers) {
    const sentMs = startMs + plannedMs + waitMs
    const call = { operation, args: noArguments, bytes: 0, documents: 1, number: 0 }
    recorder.sent(1)
    recorder.answered(call, startMs + plannedMs, sentMs, sentMs + serviceMs, outcome)
  }
  recorder.ended(startMs + 4000)
  const [read, write] = recorder.addTimes([fakeOperationResult(), fakeOperationResult({ name: 'write' })])
  return { all: recorder.result(), read: read?.openLoop, write: write?.openLoop }
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

test('a call is late from more than 2 ms on', () => {
  expect(record([1.9, 2, 2.1, 50].map((waitMs) => ({ plannedMs: 0, waitMs }))).all?.late).toBe(2)
})

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

test('it tells what was asked for, how long calls were sent, and the most in flight', () => {
  const recorder = recordArrivals({ load, operations: [fakeOperation()] })
  recorder.start(startMs)
  for (const inFlight of [1, 3, 2]) recorder.sent(inFlight)
  recorder.ended(startMs + 2500)
  expect(recorder.result()).toMatchObject({
    arrivals: 'constant',
    ratePerSecond: 100,
    seconds: 2.5,
    maxInFlight: 4,
    peakInFlight: 3,
  })
})

describe('nothing is known', () => {
  test('of a loop that sent nothing', () => {
    const recorder = recordArrivals({ load, operations: [fakeOperation()] })
    expect(recorder.addTimes([fakeOperationResult()])[0]?.openLoop).toMatchObject({
      wait: null,
      response: null,
      late: 0,
    })
    expect(recorder.result()).toMatchObject({ planned: 0, sent: 0, seconds: 0, wait: null })
  })

  test('of a closed loop', () => {
    const recorder = recordArrivals({ load: { kind: 'closed' }, operations: [fakeOperation()] })
    const operations = [fakeOperationResult()]
    expect(recorder.addTimes(operations)).toBe(operations)
    expect(recorder.result()).toBeNull()
  })
})
