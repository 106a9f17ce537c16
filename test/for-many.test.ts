import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '../src/core/clock.ts'
import { runProgram } from '../src/servers/child-process.ts'

/** The warnings of Node while something goes on. */
async function warningsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = []
  const note = ({ name }: Error): void => void names.push(name)
  process.on('warning', note)
  await act()
  await setImmediate()
  process.off('warning', note)
  return names
}

test('twenty servers may wait for one signal without a warning about a leak', async () => {
  const stop = new AbortController()
  const waiting = Array.from({ length: 20 }, () => systemClock.sleep(600_000, stop.signal))
  const end = async (): Promise<void> => {
    await setImmediate()
    stop.abort()
    await Promise.all(waiting)
  }
  expect(await warningsOf(end)).toEqual([])
})

test('as many programs may run until one signal', async () => {
  const { signal } = new AbortController()
  const options = { env: process.env, timeoutMs: 60_000, signal }
  const run = () => Promise.all(Array.from({ length: 12 }, () => runProgram('no-such-program', [], options)))
  expect(await warningsOf(run)).toEqual([])
})
