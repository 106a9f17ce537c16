import { systemClock } from '../src/core/clock.ts'
import { measureMachineSpeed, runKernel } from '../src/load/measure/machine-speed.ts'
import { type Bench } from './benchmark.ts'

const times = 60

/**
 * How fast this machine is now, and how steady: the kernel 60 times in a row, and 60 measurements, each the fastest of a few runs
 * of it. Measurements that lie further apart than 10 % show states of the machine.
 */
export const machineSpeed: Bench = async ({ print }) => {
  // The first run fills the memory.
  runKernel()
  const kernels: number[] = []
  const measurements: number[] = []
  for (let i = 0; i < times; i++) kernels.push(timeKernel())
  for (let i = 0; i < times; i++) measurements.push(await measureMachineSpeed(systemClock))
  print(line(`${times} kernels, ms`, kernels, 2))
  print(line(`${times} measurements, kernels/s`, measurements, 1))
}

function timeKernel(): number {
  const startMs = systemClock.now()
  runKernel()
  return systemClock.now() - startMs
}

function line(name: string, values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.round(share * (sorted.length - 1))] ?? 0).toFixed(digits)
  return `${name.padStart(28)}   min ${at(0)}   median ${at(0.5)}   p90 ${at(0.9)}   max ${at(1)}`
}
