import { type RowNumbers } from '../../language/generators/generator.ts'
import { OwnRows } from './own-rows.ts'
import { createRowsUnderWay } from './rows-under-way.ts'
import { type Share, wholePhase } from './share.ts'

/**
 * How the units of a phase number the rows that they take.
 * In order: row numbers follow from operation numbers, so every unit counts what the others take, and a phase that ends by
 * count leaves no gap.
 * Strided: what the others take only they know, so every unit has row numbers `index`, `index + of` and so on of its own.
 */
export type RowOrder = 'in order' | 'strided'

/** Row numbers of a data set, as one unit has given them out in a pass. */
export type PassRows = {
  /** The first number that could be given out. */
  readonly first: number
  /** One more than the highest number that the unit knows to be given out. */
  readonly next: number
  /** How many it has given out itself. */
  readonly taken: number
  /** Whether picks of the newest rows went by what this unit alone has taken. */
  readonly isFollowedAlone: boolean
}

/** A data set, as far as load needs it. */
export type NumberedRows = { readonly numbers: DataSetNumbers }

/** Gives out the row numbers of a data set to one unit of a phase: none is given out twice, by any unit. */
export type DataSetNumbers = RowNumbers & {
  /** Gives out so many at once, unused. In a strided order that is for the other units to do. */
  readonly skip: (count: number) => void
  /** Counts what operations of other units take while they are built here, to be discarded. */
  readonly countOthers: (isOther: boolean) => void
  /** The operation under which numbers were taken has ended. */
  readonly ended: (call: number) => void
  /** Numbers below this one were taken by operations that have ended. */
  readonly answered: () => number
  /** The highest number up to this one that this unit knows to be taken: the others' progress is not known here. */
  readonly ownUpTo: (row: number) => number
  /** A pass begins: all units of it begin at the same number. */
  readonly beginPass: (first: number, share: Share, order: RowOrder) => void
  /** All units have stopped: the next number to be given out is this one. */
  readonly goOnFrom: (row: number) => void
  readonly ofPass: () => PassRows
}

/** @param firstRow The first number to be given out. */
export function createRowNumbers(firstRow: number): DataSetNumbers {
  const underWay = createRowsUnderWay()
  const own = new OwnRows(firstRow)
  let share = wholePhase
  let step = 1
  /** One more than the highest number given out so far, by anyone as far as this unit knows. */
  let next = firstRow
  /** The number that this unit takes next. */
  let following = firstRow
  let isOther = false
  let firstOfPass = firstRow
  let taken = 0
  let isFollowedAlone = false

  function advance(): number {
    const row = following
    following += step
    next = step === 1 ? following : row + 1
    return row
  }

  return {
    next: () => next,
    take(call) {
      if (isOther) return step === 1 ? advance() : following
      const row = advance()
      underWay.taken(row, call)
      if (share.of > 1) own.add(row)
      taken += 1
      return row
    },
    skip(count) {
      if (step > 1) return
      following += count
      next = following
    },
    countOthers: (others) => void (isOther = others),
    ended: underWay.ended,
    answered: () => underWay.oldest() ?? next,
    ownUpTo(row) {
      if (share.of === 1) return row
      isFollowedAlone = true
      return own.upTo(row)
    },
    beginPass(first, given, order) {
      share = given
      step = order === 'strided' ? given.of : 1
      next = first
      following = step > 1 ? first + given.index : first
      firstOfPass = first
      taken = 0
      isFollowedAlone = false
    },
    goOnFrom(row) {
      step = 1
      next = row
      following = row
    },
    ofPass: () => ({ first: firstOfPass, next, taken, isFollowedAlone }),
  }
}
