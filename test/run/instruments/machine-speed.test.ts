import { expect, test } from 'vitest'
import { machineSpeed } from '../../../src/run/instruments/machine-speed.ts'

/** Every reading is so many milliseconds after the one before it. */
function stepping(stepMs: () => number): { readonly now: () => number } {
  let time = 0
  return { now: () => (time += stepMs()) }
}

test('the machine is measured when the instrument opens and when it closes', async () => {
  let stepMs = 10
  const instrument = await machineSpeed({ phase: { measured: true }, clock: stepping(() => stepMs) })
  stepMs = 12.5
  await instrument.close()
  expect(await instrument.contribute()).toEqual({ machineSpeed: { before: 100, after: 80 } })
})

test.each([
  ['within two seconds has the speed that was measured after the last one', 1900, 100],
  ['later has a speed of its own', 2100, 80],
])('a phase that begins %s', async (_, pauseMs, before) => {
  let stepMs = 10
  const clock = stepping(() => stepMs)
  const first = await machineSpeed({ phase: { measured: true }, clock })
  await first.close()
  stepMs = pauseMs
  clock.now()
  stepMs = 12.5
  const second = await machineSpeed({ phase: { measured: true }, clock })
  await second.close()
  expect(await second.contribute()).toEqual({ machineSpeed: { before, after: 80 } })
})

test('a window that did not close has no speed', async () => {
  const instrument = await machineSpeed({ phase: { measured: true }, clock: stepping(() => 10) })
  expect(await instrument.contribute()).toEqual({ machineSpeed: null })
})

test('a phase that is not in the result takes no time', async () => {
  let readings = 0
  const clock = stepping(() => (readings += 1))
  const instrument = await machineSpeed({ phase: { measured: false }, clock })
  await instrument.close()
  expect(await instrument.contribute()).toEqual({ machineSpeed: null })
  expect(readings).toBe(0)
})
