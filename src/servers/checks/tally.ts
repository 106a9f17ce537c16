/** Documents that calls added to a collection and took away from it. */
export type Change = { readonly added: number; readonly removed: number }

export const noChange: Change = { added: 0, removed: 0 }

/** Changes that calls of a unit of load made to a collection, and those that they may have made besides. */
export type TallyPart = { readonly kind: 'tally'; readonly done: Change; readonly perhaps: Change }

export const addChanges = (one: Change, other: Change): Change => ({
  added: one.added + other.added,
  removed: one.removed + other.removed,
})

export const mergeTallies = (one: TallyPart, other: TallyPart): TallyPart => ({
  kind: 'tally',
  done: addChanges(one.done, other.done),
  perhaps: addChanges(one.perhaps, other.perhaps),
})

/** Counts changes in the timed window until they are taken. */
export class TallyRecord {
  #done = noChange
  #perhaps = noChange

  /**
   * @param done What is known to have been done.
   * @param perhaps What may have been done besides, at most.
   */
  count(done: Change, perhaps: Change = noChange): void {
    this.#done = addChanges(this.#done, done)
    if (perhaps !== noChange) this.#perhaps = addChanges(this.#perhaps, perhaps)
  }

  take(): TallyPart {
    const part: TallyPart = { kind: 'tally', done: this.#done, perhaps: this.#perhaps }
    this.#done = noChange
    this.#perhaps = noChange
    return part
  }
}

/** How many documents calls have added, less those that they took away: between two bounds, where outcomes are unknown. */
export class Tally {
  #done = noChange
  #perhaps = noChange

  get least(): number {
    return this.#done.added - this.#done.removed - this.#perhaps.removed
  }

  get most(): number {
    return this.#done.added - this.#done.removed + this.#perhaps.added
  }

  /** Acknowledged changes: all that a rollback can take back. */
  get acknowledged(): Change {
    return this.#done
  }

  add({ done, perhaps }: TallyPart): void {
    this.#done = addChanges(this.#done, done)
    this.#perhaps = addChanges(this.#perhaps, perhaps)
  }
}
