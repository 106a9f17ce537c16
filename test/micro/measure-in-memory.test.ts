import { expect, test } from 'vitest'
import { measureInMemory } from '../../src/micro/measure-in-memory.ts'
import { computed, drawValues, generated } from '../../src/micro/value-work.ts'
import { fail } from '../fakes/fail.ts'
import { fakeClock } from '../fakes/fake-clock.ts'

const rules = { minSeconds: 60, maxSeconds: 300, iterations: 100 }

/** Measures work whose iterations take so many seconds, in which it does ten operations. */
async function measure(seconds: number) {
  const clock = fakeClock()
  const iterate = (): void => clock.advance(seconds * 1000)
  const answer = await measureInMemory({ bytes: 1, operations: 10, iterate }, rules, clock)
  return answer.kind === 'measured' ? answer : fail(answer.reason)
}

test.each([
  ['slow work ends when the most time is reached', 7, 43],
  ['work between goes on for 100 iterations', 1, 100],
  ['fast work goes on for the minimum time', 0.25, 240],
  ['one iteration longer than the most time is enough', 400, 1],
])('%s', async (_, seconds, iterations) => {
  const measured = await measure(seconds)
  expect(measured.seconds).toHaveLength(iterations)
  expect(measured.seconds[0]).toBeCloseTo(seconds)
})

test('statistics are those of one operation', async () => {
  const { statistics } = await measure(1)
  expect(statistics).toMatchObject({ operations: 10, marginPercent: 0 })
  expect(statistics?.meanNs).toBeCloseTo(1e8)
  expect(statistics?.p999Ns).toBeCloseTo(1e8)
})

test('a failure ends the measurement', async () => {
  const full = new Error('no memory')
  const iterate = (): never => {
    throw full
  }
  await expect(measureInMemory({ bytes: 1, iterate }, rules, fakeClock())).rejects.toBe(full)
})

test.each(Object.entries({ ...generated, ...computed }))('%s draws values', (_, value) =>
  expect(() => drawValues(value).iterate()).not.toThrow(),
)
