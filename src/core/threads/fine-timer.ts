import { type Clock, systemClock } from '../clock.ts'
import { entryPath } from '../entries.ts'
import { createWorker } from './create-worker.ts'

/** State shared by the timer and its thread. */
export type TimerMemory = {
  /** How many sleeps were asked for, and how many of them are over. */
  readonly turns: Int32Array<SharedArrayBuffer>
  /** How long the last one that was asked for takes. */
  readonly ms: Float64Array<SharedArrayBuffer>
}

/** Sleeps to fractions of a millisecond, such as until the next call of an open loop is due. */
export type FineTimer = {
  /** Sleeps like that of a clock, but to fractions of a millisecond. One at a time: a sleep ends the one before. */
  readonly sleep: Clock['sleep']
  readonly end: () => Promise<void>
}

/** Starts one. Resolves when it is ready. */
export type StartTimer = () => Promise<FineTimer>

/**
 * Starts a timer of a thread of its own. Timers of Node.js have whole milliseconds, and make calls about 0.6 ms late: more than
 * many of them take. A thread that waits for memory to change is woken to the microsecond, and so is the one that waits for it.
 */
export async function startFineTimer(): Promise<FineTimer> {
  const memory: TimerMemory = {
    turns: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
    ms: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
  }
  const { turns, ms } = memory
  const worker = createWorker(entryPath('core/threads/timer-thread'), memory)
  let asked = 0

  async function wait(forMs: number): Promise<void> {
    ms[0] = forMs
    // Counters of 32 bits: they go round after twelve days at the most.
    const turn = (asked = (asked + 1) | 0)
    Atomics.store(turns, 0, turn)
    Atomics.notify(turns, 0)
    const isOver = (over: number): boolean => ((turn - over) | 0) <= 0
    for (let over = Atomics.load(turns, 1); !isOver(over); over = Atomics.load(turns, 1))
      await Atomics.waitAsync(turns, 1, over).value
  }

  function sleep(forMs: number, signal?: AbortSignal): Promise<void> {
    const dueMs = systemClock.now() + forMs
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      // Where cores are busy, the other thread may have to wait for one for longer than this one has to.
      const timer = setTimeout(() => void (systemClock.now() >= dueMs && wake()), Math.ceil(forMs))
      signal?.addEventListener('abort', wake, { once: true })
      void wait(forMs).then(wake)
    })
  }

  await wait(0)
  return { sleep, end: async () => void (await worker.terminate()) }
}
