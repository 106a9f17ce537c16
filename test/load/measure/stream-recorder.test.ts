import { expect, test } from 'vitest'
import { StreamRecorder } from '../../../src/load/measure/stream-recorder.ts'
import { type StreamPlan } from '../../../src/load/plan/plan.ts'
import { failedOutcome } from '../../fakes/fake-calls.ts'

const plan: StreamPlan = {
  name: 'watch',
  kind: 'changeStream',
  database: undefined,
  collection: 'things',
  pipeline: [],
  options: {},
}

const insert = (lagMs: number | null) => ({ type: 'insert', lagMs })

test('events are counted by their type', () => {
  const recorder = new StreamRecorder()
  recorder.start(0)
  for (const type of ['insert', 'delete', 'insert']) recorder.record({ type, lagMs: 1 }, 10)
  expect(recorder.finish(plan, 500)).toMatchObject({
    name: 'watch',
    kind: 'changeStream',
    events: 3,
    byType: { insert: 2, delete: 1 },
    errors: [],
  })
})

test('lag is a histogram over all events, and percentiles of every second', () => {
  const recorder = new StreamRecorder()
  recorder.start(1000)
  for (const [lagMs, nowMs] of [
    [1, 1000],
    [3, 1999],
    [10, 3500],
  ] as const)
    recorder.record(insert(lagMs), nowMs)
  const { lag, perSecond } = recorder.finish(plan, 3600)
  expect(lag).toMatchObject({ count: 3, minMs: 1, maxMs: 10 })
  expect(lag?.p50Ms).toBeCloseTo(3, 2)
  expect(lag?.meanMs).toBeCloseTo(14 / 3)
  expect(perSecond).toEqual({
    events: [2, 0, 1],
    lagP50Ms: [1, null, 10],
    lagP99Ms: [3, null, 10],
    lagMaxMs: [3, null, 10],
  })
})

test('events that come after the window add seconds to it', () => {
  const recorder = new StreamRecorder()
  recorder.start(0)
  recorder.record(insert(5), 500)
  recorder.record(insert(2500), 3100)
  expect(recorder.finish(plan, 900).perSecond.events).toEqual([1, 0, 0, 1])
})

test('the rows reach to the end of the window where nothing comes', () => {
  const recorder = new StreamRecorder()
  recorder.start(0)
  expect(recorder.finish(plan, 2100)).toMatchObject({ events: 0, lag: null, perSecond: { events: [0, 0, 0] } })
})

test('what comes before the window opens is in its first second', () => {
  const recorder = new StreamRecorder()
  recorder.record(insert(5), 100)
  recorder.start(5000)
  recorder.record(insert(5), 5100)
  expect(recorder.finish(plan, 6500).perSecond.events).toEqual([2, 0])
})

test('events without a date are counted, and have no lag', () => {
  const recorder = new StreamRecorder()
  recorder.start(0)
  recorder.record(insert(null), 10)
  expect(recorder.finish(plan, 20)).toMatchObject({
    events: 1,
    lag: null,
    perSecond: { events: [1], lagP50Ms: [null], lagP99Ms: [null], lagMaxMs: [null] },
  })
})

test('a lag below zero, of clocks a little apart, counts as none', () => {
  const recorder = new StreamRecorder()
  recorder.start(0)
  recorder.record(insert(-0.4), 10)
  expect(recorder.finish(plan, 20).lag).toMatchObject({ count: 1, minMs: 0, meanMs: 0 })
})

test('errors are counted by their code', () => {
  const recorder = new StreamRecorder()
  recorder.addError(failedOutcome('280', 'ChangeStreamFatalError'))
  recorder.addError(failedOutcome('280', 'ChangeStreamFatalError'))
  expect(recorder.finish(plan, 0)).toMatchObject({ events: 0, errors: [{ code: '280', count: 2, outcome: 'failed' }] })
})
