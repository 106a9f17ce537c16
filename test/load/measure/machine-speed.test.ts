import { expect, test } from 'vitest'
import { measureMachineSpeed, runKernel } from '../../../src/load/measure/machine-speed.ts'
import { fakeClock } from '../../fakes/fake-clock.ts'

const digest = runKernel()

/** Runs that take so long, one after the other. */
async function measured(runsMs: readonly number[], result = digest): Promise<number> {
  const clock = fakeClock(1000)
  const left = [...runsMs]
  return await measureMachineSpeed(clock, () => {
    clock.advance(left.shift() ?? Infinity)
    return result
  })
}

test('every run of the kernel does the same work', () => expect(runKernel()).toBe(digest))

test('the speed is that of the fastest of five runs, so that one that was preempted does not count', async () =>
  expect(await measured([40, 12.5, 10, 95, 11])).toBe(100))

test('a machine that is slow in all runs is slow', async () => expect(await measured([21, 20, 25, 22, 20])).toBe(50))

test('a kernel that does other work is not compared', async () =>
  await expect(measured([10, 10, 10, 10, 10], digest + 1)).rejects.toSay('machine-speed-kernel', {
    computed: digest + 1,
  }))
