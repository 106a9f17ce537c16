import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PassSeconds } from '../../../src/run/live/pass-seconds.ts'
import { openLoad } from '../../fakes/random-calls.ts'
import { partAt, recorder } from './parts.ts'

test('a second is complete when no unit has anything more of it', () => {
  const seconds = new PassSeconds(partAt(0))
  const { ends, take } = recorder()
  ends(100, 4)
  ends(200, 2, 'failed')
  expect(seconds.add(take(), partAt(250))).toEqual([])
  ends(300, 8, 'unknown')
  ends(900, 2)
  expect(seconds.add(take(), partAt(1001, { completeBefore: 0 }))).toEqual([])
  const [first, ...others] = seconds.add(recorder().take(), partAt(1002))
  expect(others).toEqual([])
  expect(first).toMatchObject({ second: 0, lengthSeconds: 1, ok: 2, failed: 1, unknown: 1, inFlight: 3, workers: 4 })
  expect(first?.latency).toEqual({ p50Ms: 2, p99Ms: 4, maxMs: 4 })
  const distribution = [2, 5].map((upToMs) => ({ upToMs, calls: 1 }))
  expect(first?.operations).toMatchObject([{ name: 'findOne', sumMs: 6, distribution }])
})

test('a second in which nothing ended is one with zeros', () => {
  const seconds = new PassSeconds(partAt(0))
  const outage = seconds.add(recorder().take(), partAt(2000))
  expect(outage.map(({ second, ok, latency }) => [second, ok, latency])).toEqual([
    [0, 0, null],
    [1, 0, null],
  ])
})

test('the last second of a pass is as long as the pass', () => {
  const seconds = new PassSeconds(partAt(0))
  const { ends, take } = recorder()
  ends(1200, 5)
  const both = seconds.add(take(), partAt(1250, { isLast: true }))
  expect(both.map(({ second, ok, lengthSeconds }) => [second, ok, lengthSeconds])).toEqual([
    [0, 0, 1],
    [1, 1, 0.25],
  ])
})

test('a later step of a search goes on in the second in which it begins', () => {
  const at = { startMs: 2400, windowStartMs: 0 }
  const seconds = new PassSeconds(partAt(2400, at))
  const [first] = seconds.add(recorder().take(), partAt(3000, at))
  expect([first?.second, first?.lengthSeconds]).toEqual([2, 0.6])
})

test('an open loop has its dropped and late operations, and times since the plan', () => {
  const at = { load: 'open', workers: 64 } as const
  const seconds = new PassSeconds(partAt(0, at))
  const { phase, call, ends, take } = recorder({ load: openLoad })
  ends(100, 10)
  phase.recordArrival(call, 80, 90, 100, { kind: 'ok' } as never)
  phase.recordDropped(95)
  const [first] = seconds.add(take(), partAt(1000, at))
  expect(first?.openLoop).toEqual({ dropped: 1, late: 1, response: { p50Ms: 20, p99Ms: 20, maxMs: 20 } })
})

test('seconds add up to all that was recorded, however the parts were cut', () => {
  const outcome = fc.constantFrom('ok' as const, 'failed' as const, 'unknown' as const)
  const calls = fc.array(fc.tuple(fc.nat(5000), outcome), { maxLength: 60 })
  fc.assert(
    fc.property(calls, fc.array(fc.nat(5000), { maxLength: 8 }), (drawn, cuts) => {
      const seconds = new PassSeconds(partAt(0))
      const { ends, take } = recorder()
      const inOrder = drawn.toSorted(([one], [other]) => one - other)
      const folded = [...cuts.toSorted((one, other) => one - other), 5001].flatMap((cut, i, { length }) => {
        while ((inOrder[0]?.[0] ?? Infinity) <= cut) {
          const [endMs, kind] = inOrder.shift() ?? [0, 'ok' as const]
          ends(endMs, 1, kind)
        }
        return seconds.add(take(), partAt(cut, { isLast: i === cuts.length && length > 0 }))
      })
      for (const kind of ['ok', 'failed', 'unknown'] as const)
        expect(folded.reduce((sum, second) => sum + second[kind], 0)).toBe(drawn.filter(([, of]) => of === kind).length)
      expect(folded.map(({ second }) => second)).toEqual(folded.map((_, i) => i))
    }),
  )
})
