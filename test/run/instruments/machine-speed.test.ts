import { expect, test } from 'vitest'
import { machineSpeed } from '../../../src/run/instruments/machine-speed.ts'

/** Every reading is so many milliseconds after the one before it. */
function stepping(stepMs: () => number): { readonly now: () => number } {
  let time = 0
  return { now: () => (time += stepMs()) }
}

/** The speed around a phase and around the next one; the kernel takes 10 ms until the first has begun, and then 12.5 ms. */
async function aroundTwo(phaseMs: number, pauseMs: number) {
  let stepMs = 10
  const clock = stepping(() => stepMs)
  const passes = (ms: number): void => {
    stepMs = ms
    clock.now()
    stepMs = 12.5
  }
  const first = await machineSpeed({ phase: { measured: true } }, { clock })
  passes(phaseMs)
  await first.close()
  passes(pauseMs)
  const second = await machineSpeed({ phase: { measured: true } }, { clock })
  passes(5000)
  await second.close()
  return [await first.contribute(), await second.contribute()].map((one) => one.machineSpeed)
}

test('the machine is measured when the instrument opens and when it closes', async () => {
  const [first] = await aroundTwo(2000, 0)
  expect(first).toEqual({ before: 100, after: 80 })
})

test('a measurement of the last two seconds is used again: around a short phase, and before the next one', async () => {
  expect(await aroundTwo(1900, 3000)).toEqual([
    { before: 100, after: 100 },
    { before: 80, after: 80 },
  ])
  expect(await aroundTwo(900, 900)).toEqual([
    { before: 100, after: 100 },
    { before: 100, after: 80 },
  ])
})

test('a window that did not close has no speed', async () => {
  const instrument = await machineSpeed({ phase: { measured: true } }, { clock: stepping(() => 10) })
  expect(await instrument.contribute()).toEqual({ machineSpeed: null })
})

test('a phase that is not in the result takes no time', async () => {
  let readings = 0
  const clock = stepping(() => (readings += 1))
  const instrument = await machineSpeed({ phase: { measured: false } }, { clock })
  await instrument.close()
  expect(await instrument.contribute()).toEqual({ machineSpeed: null })
  expect(readings).toBe(0)
})

test('windows of a phase after its first one have the speed around that one', async () => {
  let stepMs = 10
  const clock = stepping(() => stepMs)
  const phase = { measured: true }
  const first = await machineSpeed({ phase }, { clock })
  await first.close()
  stepMs = 12.5
  const later = await machineSpeed({ phase }, { clock })
  stepMs = 5000
  clock.now()
  await later.close()
  expect(await later.contribute()).toEqual({ machineSpeed: { before: 100, after: 100 } })
})
