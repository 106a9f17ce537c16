import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock } from '../../core/clock.ts'
import { mixIn } from '../../core/random.ts'

/**
 * 2 MiB: more than the second-level cache of a core, so that a neighbour in the cache that cores share shows. With 8 MiB, runs on a
 * virtual machine took 1 to 6 times as long from one second to the next, and throughput did not follow.
 */
const words = 2 ** 19
/** With these two, a run takes about 10 ms on a server core of 2026, half of it in memory and half in integer arithmetic. */
const steps = 400_000
const mixesPerStep = 3
/** Digest that a run computes, the same everywhere. */
const digest = 1_992_444_788

/** Runs of the kernel in one measurement. */
const runs = 5

let held: Int32Array | undefined

/** Filled once for the process, because its pages have to be there before anything is timed. */
const memory = (): Int32Array => (held ??= new Int32Array(words).map((_, i) => mixIn(words, i)))

/**
 * A fixed piece of work, in integer arithmetic and in memory that is read in a fixed pseudo-random order. Each step needs the
 * result of the one before it.
 */
export function runKernel(): number {
  const read = memory()
  // From source, tests take a function of another module out of its exports at every call.
  const mix = mixIn
  let hash = 1
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < mixesPerStep; i++) hash = mix(hash, i)
    hash = mix(hash, read[hash & (words - 1)] ?? 0)
  }
  return hash
}

/**
 * Measures how fast this machine is now, in runs of the kernel per second: by the fastest of a few short runs. A run that was
 * preempted, or not compiled yet, is not the fastest, while a machine in a slow state slows all of them.
 * @param kernel The kernel, except in tests.
 */
export async function measureMachineSpeed({ now }: Pick<Clock, 'now'>, kernel = runKernel): Promise<number> {
  memory()
  let fastestMs = Infinity
  for (let run = 0; run < runs; run++) {
    // Timers and sockets of this thread wait for one run, not for all.
    await nextTurn()
    const startMs = now()
    const result = kernel()
    fastestMs = Math.min(fastestMs, now() - startMs)
    // Also keeps the compiler from leaving out a kernel whose result is not used.
    if (result !== digest) throw new Error(`The kernel of the machine speed computed ${result}, and not ${digest}`)
  }
  return 1000 / fastestMs
}
