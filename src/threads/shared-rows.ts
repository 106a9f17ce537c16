import { type DataSet, type DataSetNumbers } from '../plan/data-set.ts'
import { createRowsUnderWay } from '../plan/rows-under-way.ts'

/**
 * Where the numbers of the rows are given out while several threads take them. Of each data set: the next row, then for each
 * thread the oldest row that one of its calls under way has taken.
 */
export type RowsMemory = { readonly words: SharedArrayBuffer; readonly threads: number }

/** The rows of a data set as one thread sees them. */
export type SharedNumbers = DataSetNumbers & {
  /** Takes so many rows at once, which this thread then gives out. */
  readonly reserve: (count: number) => void
}

/** Stands for a thread that has no row under way. */
const none = 2n ** 63n - 1n

/** Begins where the data sets are. */
export function shareRows(dataSets: readonly DataSet[], threads: number): RowsMemory {
  const memory = { words: new SharedArrayBuffer(dataSets.length * (1 + threads) * 8), threads }
  const words = new BigInt64Array(memory.words).fill(none)
  for (const [i, { nextRow }] of dataSets.entries()) words[nextAt(memory, i)] = BigInt(nextRow())
  return memory
}

/** Has the data sets go on where the threads have stopped. */
export function takeRowsBack(dataSets: readonly DataSet[], memory: RowsMemory): void {
  const words = new BigInt64Array(memory.words)
  for (const [i, dataSet] of dataSets.entries()) dataSet.skipRows(Number(words[nextAt(memory, i)]) - dataSet.nextRow())
}

const nextAt = ({ threads }: RowsMemory, dataSet: number): number => dataSet * (1 + threads)

/**
 * @param dataSet Its position in the spec.
 * @param thread Which of the threads this one is.
 */
export function openNumbers(memory: RowsMemory, dataSet: number, thread: number): SharedNumbers {
  const words = new BigInt64Array(memory.words)
  const at = nextAt(memory, dataSet)
  const ownAt = at + 1 + thread
  const underWay = createRowsUnderWay()
  let mine = 0
  let mineUntil = 0

  const next = (): bigint => Atomics.load(words, at)
  const publish = (row: bigint): void => void Atomics.store(words, ownAt, row)

  function add(count: number): number {
    // Before the rows are taken, so that no other thread ever takes them for answered.
    if (underWay.oldest() === undefined) publish(next())
    return Number(Atomics.add(words, at, BigInt(count)))
  }

  return {
    next: () => Number(next()),
    take(call) {
      const row = mine < mineUntil ? mine++ : add(1)
      underWay.taken(row, call)
      return row
    },
    skip: (count) => void Atomics.add(words, at, BigInt(count)),
    reserve(count) {
      mine = add(count)
      mineUntil = mine + count
    },
    ended(call) {
      const before = underWay.oldest()
      underWay.ended(call)
      const oldest = underWay.oldest()
      if (oldest !== before) publish(oldest === undefined ? none : BigInt(oldest))
    },
    answered() {
      let least = next()
      for (let other = 0; other < memory.threads; other++) {
        const row = Atomics.load(words, at + 1 + other)
        if (row < least) least = row
      }
      return Number(least)
    },
  }
}
