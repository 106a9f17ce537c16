import { expect, test } from 'vitest'
import { measureWork } from '../../src/micro/measure-on-server.ts'
import { fakeClock } from '../fakes/fake-clock.ts'

const rules = { minSeconds: 60, maxSeconds: 300, iterations: 100 }

/** Work whose n-th iteration takes so many seconds; the first one is to warm up. */
function timed(secondsOf: (iteration: number) => number) {
  const clock = fakeClock()
  let iteration = 0
  return { clock, bytes: 1, iterate: () => clock.advance(secondsOf(iteration++) * 1000) }
}

test.each([
  ['slow work ends when the most time is reached', 7, 43],
  ['work between goes on for 100 iterations', 1, 100],
  ['work that takes 0.6 s reaches both limits at once', 0.6, 100],
  ['fast work goes on for the minimum time', 0.25, 240],
  ['one iteration longer than the most time is enough', 400, 1],
])('%s', async (_, seconds, iterations) => {
  const work = timed(() => seconds)
  const measured = await measureWork(work, rules, work.clock)
  expect(measured).toHaveLength(iterations)
  expect(new Set(measured.map((value) => value.toFixed(6)))).toEqual(new Set([seconds.toFixed(6)]))
})

test('an iteration to warm up counts neither as a time nor towards the limits', async () => {
  const work = timed((iteration) => (iteration === 0 ? 1_000 : iteration))
  expect(await measureWork(work, { minSeconds: 0, maxSeconds: 100, iterations: 3 }, work.clock)).toEqual([1, 2, 3])
})

test('what is done before an iteration is not in its time', async () => {
  const { clock, ...work } = timed(() => 2)
  const before = () => clock.advance(50_000)
  const few = { minSeconds: 0, maxSeconds: 9, iterations: 4 }
  expect(await measureWork({ ...work, beforeEach: before }, few, clock)).toEqual([2, 2, 2, 2])
})

test.each([0, 3])('a failure in iteration %i ends the measurement', async (failing) => {
  const clock = fakeClock()
  const full = new Error('disk full')
  let iteration = 0
  const iterate = async () => {
    if (iteration++ === failing) throw full
    clock.advance(10)
  }
  await expect(measureWork({ bytes: 1, iterate }, rules, clock)).rejects.toBe(full)
})
