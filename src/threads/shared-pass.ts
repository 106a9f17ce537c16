import { type Counter } from '../counter.ts'
import { type CallOrder, createCallOrder } from '../plan/call-order.ts'
import { type PhasePlan, type PlannedCall, type StopAfter } from '../plan/plan.ts'
import { type EndedBecause, endings, reachedLimit } from '../schedule/limits.ts'
import { type Pass } from '../schedule/progress.ts'
import { openLock } from './lock.ts'
import { type SharedNumbers } from './shared-rows.ts'

/** What the threads of one pass share: who may take a call, how many were taken, and why there are no more. */
export type PassMemory = SharedArrayBuffer

/** 32-bit words: the lock, why the pass has ended, and why it should end; the last two count the endings from 1. */
const [lockAt, endedAt, stopAt] = [0, 1, 2] as const
const words = 4
/** Then the time of the first call, NaN before it, and whole numbers: calls and documents taken, and the counters of the calls. */
const startAt = words * 4
const countsAt = startAt + 8
const [callsAt, documentsAt, firstCounterAt] = [0, 1, 2] as const

/** Memory for a pass of a phase. */
export function createPassMemory(phase: Pick<PhasePlan, 'calls'>, pass: Pass): PassMemory {
  const memory = new SharedArrayBuffer(countsAt + (firstCounterAt + countersOf(phase, pass)) * 8)
  new Float64Array(memory, startAt, 1)[0] = Number.NaN
  return memory
}

/** How many counters the calls of a pass ask for, found by compiling them. */
function countersOf(phase: Pick<PhasePlan, 'calls'>, pass: Pass): number {
  let asked = 0
  const order = createCallOrder()
  phase.calls(pass, {
    ...order,
    counter() {
      asked += 1
      return order.counter()
    },
  })
  return asked
}

export type SharedPass = {
  readonly order: CallOrder
  /** Takes a call within the limits; undefined when there is none. Whoever takes call n does so before call n + 1 is taken. */
  readonly take: (nowMs: number, next: (documentsLeft: number) => PlannedCall) => PlannedCall | undefined
  /** The first call of this thread goes out now; that of the first thread opens the window. */
  readonly start: (nowMs: number) => void
  /** Undefined before the first call. */
  readonly startMs: () => number | undefined
  /** Asks all threads to take no more calls. */
  readonly stop: (reason: EndedBecause) => void
  readonly endedBecause: () => EndedBecause | undefined
}

/**
 * A pass as one thread sees it: the same budget as that of one thread alone, never an operation or a document more.
 * @param rows The rows of the data sets, by collection.
 */
export function openPass(
  memory: PassMemory,
  stopAfter: StopAfter,
  rows: ReadonlyMap<string, SharedNumbers> = new Map(),
): SharedPass {
  const flags = new Int32Array(memory, 0, words)
  const lock = openLock(flags, lockAt)
  const start = new Float64Array(memory, startAt, 1)
  const counts = new BigInt64Array(memory, countsAt)
  const reached = reachedLimit(stopAfter)
  const mostDocuments = stopAfter.documents ?? Infinity
  let nextCounter: number = firstCounterAt

  const add = (at: number, count: number): number => Number(Atomics.add(counts, at, BigInt(count)))
  const counterAt = (at: number): Counter => ({ take: () => add(at, 1) })
  const endingAt = (at: number): EndedBecause | undefined => endings[Atomics.load(flags, at) - 1]
  const startMs = (): number | undefined => {
    const [ms = Number.NaN] = start
    return Number.isNaN(ms) ? undefined : ms
  }

  /** As `Limits` does it: the budget goes first, for a pass that has sent all it was asked for is complete. */
  function documentsLeft(nowMs: number): number {
    if (endingAt(endedAt) !== undefined) return 0
    const documents = Number(Atomics.load(counts, documentsAt))
    const elapsedMs = nowMs - (startMs() ?? nowMs)
    const ending = reached(Number(Atomics.load(counts, callsAt)), documents, elapsedMs) ?? endingAt(stopAt)
    if (ending === undefined) return mostDocuments - documents
    Atomics.store(flags, endedAt, endings.indexOf(ending) + 1)
    return 0
  }

  return {
    order: {
      takeNumber: () => add(callsAt, 1),
      chosen(documents, counted) {
        if (documents > 0) add(documentsAt, documents)
        if (counted.kind === 'rows') rows.get(counted.of)?.reserve(documents)
        if (counted.kind !== 'anything') lock.release()
      },
      counter: () => counterAt(nextCounter++),
    },
    take(nowMs, next) {
      lock.acquire()
      try {
        const left = documentsLeft(nowMs)
        return left === 0 ? undefined : next(left)
      } finally {
        lock.release()
      }
    },
    start(nowMs) {
      lock.acquire()
      if (startMs() === undefined) start[0] = nowMs
      lock.release()
    },
    startMs,
    stop: (reason) => void Atomics.compareExchange(flags, stopAt, 0, endings.indexOf(reason) + 1),
    endedBecause: () => endingAt(endedAt),
  }
}
