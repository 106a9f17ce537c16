/** How many documents calls have added, less those that they took away: between two bounds, for some fates are unknown. */
export class Tally {
  #least = 0
  #most = 0

  get least(): number {
    return this.#least
  }

  get most(): number {
    return this.#most
  }

  /**
   * @param change What is known to have been done.
   * @param perhaps What may have been done besides: documents added and taken away, at most.
   */
  add(change: number, perhaps: { readonly added: number; readonly removed: number } = nothing): void {
    this.#least += change - perhaps.removed
    this.#most += change + perhaps.added
  }
}

const nothing = { added: 0, removed: 0 }
