import { expect, onTestFinished, test } from 'vitest'
import { startFineTimer } from '../../../../src/core/threads/fine-timer.ts'
import { createTimers } from '../../../../src/servers/targets/links/timers.ts'

test('timers call back in the order of their moments, never early, and not what was called off', async () => {
  const timer = await startFineTimer()
  onTestFinished(timer.end)
  const timers = createTimers(timer)
  const startMs = timers.now()
  const called: { readonly afterMs: number; readonly tookMs: number }[] = []
  const call = (afterMs: number): Promise<void> =>
    new Promise((resolve) => {
      timers.at(startMs + afterMs, () => {
        called.push({ afterMs, tookMs: timers.now() - startMs })
        resolve()
      })
    })
  const offMs: number[] = []
  timers.at(startMs + 7.5, () => void offMs.push(7.5))()
  await Promise.all([20.25, 100, 0.4, 20.75].map(call))
  expect(called.map(({ afterMs }) => afterMs)).toEqual([0.4, 20.25, 20.75, 100])
  expect(called.every(({ afterMs, tookMs }) => tookMs >= afterMs)).toBe(true)
  expect(offMs).toEqual([])
})
