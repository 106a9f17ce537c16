/** Documents that calls added to a collection and took away from it. */
export type Change = { readonly added: number; readonly removed: number }

export const noChange: Change = { added: 0, removed: 0 }

/** How many documents calls have added, less those that they took away: between two bounds, for some fates are unknown. */
export class Tally {
  #added = 0
  #removed = 0
  #perhapsAdded = 0
  #perhapsRemoved = 0

  get least(): number {
    return this.#added - this.#removed - this.#perhapsRemoved
  }

  get most(): number {
    return this.#added - this.#removed + this.#perhapsAdded
  }

  /** What calls were told that they did: all that a rollback can take back. */
  get acknowledged(): Change {
    return { added: this.#added, removed: this.#removed }
  }

  /**
   * @param done What is known to have been done.
   * @param perhaps What may have been done besides, at most.
   */
  add(done: Change, perhaps: Change = noChange): void {
    this.#added += done.added
    this.#removed += done.removed
    this.#perhapsAdded += perhaps.added
    this.#perhapsRemoved += perhaps.removed
  }
}
