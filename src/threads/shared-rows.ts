import { type DataSet, type DataSetNumbers } from '../plan/data-set.ts'

/** Where the numbers of the rows are given out while several threads take them: one counter for each data set. */
export type RowsMemory = SharedArrayBuffer

/** The rows of a data set as one thread sees them. */
export type SharedNumbers = DataSetNumbers & {
  /** Takes so many rows at once, which this thread then gives out. */
  readonly reserve: (count: number) => void
}

/** Begins where the data sets are. */
export function shareRows(dataSets: readonly DataSet[]): RowsMemory {
  const memory = new SharedArrayBuffer(dataSets.length * 8)
  const next = new BigInt64Array(memory)
  for (const [i, { nextRow }] of dataSets.entries()) next[i] = BigInt(nextRow())
  return memory
}

/** Has the data sets go on where the threads have stopped. */
export function takeRowsBack(dataSets: readonly DataSet[], memory: RowsMemory): void {
  for (const [i, dataSet] of dataSets.entries()) dataSet.skipRows(openNumbers(memory, i).next() - dataSet.nextRow())
}

/** @param dataSet Its position in the spec. */
export function openNumbers(memory: RowsMemory, dataSet: number): SharedNumbers {
  const words = new BigInt64Array(memory)
  const add = (count: number): number => Number(Atomics.add(words, dataSet, BigInt(count)))
  let mine = 0
  let mineUntil = 0
  return {
    next: () => Number(Atomics.load(words, dataSet)),
    take: () => (mine < mineUntil ? mine++ : add(1)),
    skip: (count) => void add(count),
    reserve(count) {
      mine = add(count)
      mineUntil = mine + count
    },
  }
}
