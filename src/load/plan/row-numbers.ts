import { type RowNumbers } from '../../language/generators/generator.ts'
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
  /** Reserves a number of them at once, unused. In a strided order that is for the other units to do. */
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

const minBytes = 1024

/** The row numbers that one of several units has taken: a bit for each number from the first on. */
class OwnRows {
  readonly #first: number
  #bits = new Uint8Array(minBytes)

  /** @param first Lower numbers were there before any unit began. */
  constructor(first: number) {
    this.#first = first
  }

  add(row: number): void {
    const at = row - this.#first
    const byte = Math.floor(at / 8)
    if (byte >= this.#bits.length) this.#grow(byte)
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (at % 8))
  }

  /** The highest number up to this one that is the unit's own, or that was there before. */
  upTo(row: number): number {
    let at = row - this.#first
    while (at >= 0 && ((this.#bits[Math.floor(at / 8)] ?? 0) & (1 << (at % 8))) === 0) at -= 1
    return Math.min(row, this.#first + at)
  }

  #grow(byte: number): void {
    const larger = new Uint8Array(Math.max(byte + 1, this.#bits.length * 2))
    larger.set(this.#bits)
    this.#bits = larger
  }
}

/**
 * The rows that calls have taken which have not ended yet. Rows are taken in their order, so the first row of each such call
 * is all that is kept: no more than there are calls in flight, however long one of them takes.
 */
type RowsUnderWay = {
  readonly taken: (row: number, call: number) => void
  /** The call has ended, whatever its outcome: one that failed holds nothing back. */
  readonly ended: (call: number) => void
  /** The oldest of these rows. Undefined: there is none. */
  readonly oldest: () => number | undefined
}

function createRowsUnderWay(): RowsUnderWay {
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
