import { expect, test } from 'vitest'
import { RecordedSeconds, surveyCalls } from '../../../src/traffic/replay/survey.ts'
import { aCall } from '../calls.ts'
import { aRecording } from './a-recording.ts'

test('recorded latencies are those of the calls that began in a second', () => {
  const seconds = new RecordedSeconds()
  for (const [second, us] of [
    [0, 100],
    [0, 300],
    [0, 200],
    [3, 4000],
    [2, 2000],
  ] as const)
    seconds.add(second, us)
  seconds.end()
  // What comes too late is of the second that has begun.
  expect(seconds).toMatchObject({ p50Ms: [0.2, null, null, 2], p99Ms: [0.3, null, null, 4] })
})

test('what comes after the first day of a replay takes no memory', () => {
  const seconds = new RecordedSeconds()
  seconds.add(0, 100)
  seconds.add(1e9, 100)
  seconds.end()
  expect(seconds.p50Ms).toEqual([0.1])
})

test('seconds are those of the replay: half as many at twice the speed, and none known at "max"', async () => {
  const calls = [1, 2, 3, 4].map((second) =>
    aCall({ find: 'orders' }, { startUs: second * 1e6, latencyUs: second * 100 }),
  )
  const overTime = async (...speed: readonly (number | 'max')[]) =>
    (
      await surveyCalls(
        aRecording(calls).batches(),
        { fromUs: 0, untilUs: 1e9, only: undefined, javascript: false, expires: true },
        ...(speed as [2]),
      )
    ).overTime
  expect((await overTime(1))?.p50Ms).toEqual([0.1, 0.2, 0.3, 0.4])
  expect((await overTime(2))?.p50Ms).toEqual([0.1, 0.3])
  expect(await overTime('max')).toBeUndefined()
})
