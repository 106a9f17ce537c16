// Runs as a thread of the process of the proxies; see timers.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { type NextCall, never } from './timers.ts'

/** Sleeps until then, or until it is another moment. */
function watch(next: NextCall, wake: () => void): never {
  for (;;) {
    const atNs = Atomics.load(next, 0)
    const leftMs = atNs === never ? Infinity : Number(atNs - process.hrtime.bigint()) / 1e6
    if (Atomics.wait(next, 0, atNs, leftMs) !== 'timed-out') continue
    // It may be another moment by now, which stays.
    Atomics.compareExchange(next, 0, atNs, never)
    wake()
  }
}

watch(workerData as NextCall, () => parentPort?.postMessage(null, []))
