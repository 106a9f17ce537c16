/**
 * The rows that calls have taken which have not ended yet. Rows are taken in their order, so the first row of each such call
 * is all that is kept: no more than there are calls in flight, however long one of them takes.
 */
export type RowsUnderWay = {
  readonly taken: (row: number, call: number) => void
  /** The call has ended, whatever its outcome: one that failed holds nothing back. */
  readonly ended: (call: number) => void
  /** The oldest of these rows. Undefined: there is none. */
  readonly oldest: () => number | undefined
}

/** Creates a record without any row under way. */
export function createRowsUnderWay(): RowsUnderWay {
  const firstRows = new Map<number, number>()
  let oldest: number | undefined
  return {
    taken(row, call) {
      if (firstRows.has(call)) return
      firstRows.set(call, row)
      oldest ??= row
    },
    ended(call) {
      const row = firstRows.get(call)
      if (row === undefined) return
      firstRows.delete(call)
      // A map keeps the order in which the rows were taken.
      if (row === oldest) oldest = firstRows.values().next().value
    },
    oldest: () => oldest,
  }
}
