import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { type FineTimer, startFineTimer } from '../../../src/core/threads/fine-timer.ts'

async function withTimer(use: (timer: FineTimer) => Promise<void>): Promise<void> {
  const timer = await startFineTimer()
  try {
    await use(timer)
  } finally {
    await timer.end()
  }
}

const aDayMs = 24 * 60 * 60 * 1000

test('a sleep takes the time it was asked for, in fractions of a millisecond', () =>
  withTimer(async ({ sleep }) => {
    for (const ms of [0, 0.1, 0.7, 1.4, 20]) {
      const before = systemClock.now()
      await sleep(ms)
      expect(systemClock.now() - before).toBeGreaterThanOrEqual(ms)
    }
  }))

test('a signal breaks it off, and the next sleep is whole', () =>
  withTimer(async ({ sleep }) => {
    const stop = new AbortController()
    const broken = sleep(aDayMs, stop.signal)
    stop.abort()
    await broken
    await sleep(aDayMs, stop.signal)
    const before = systemClock.now()
    await sleep(5)
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(5)
  }))

test('it can be ended while it sleeps', async () => {
  const timer = await startFineTimer()
  const stop = new AbortController()
  const sleeping = timer.sleep(aDayMs, stop.signal)
  await timer.end()
  stop.abort()
  await expect(sleeping).resolves.toBeUndefined()
})
