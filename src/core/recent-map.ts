/** A map that forgets what was set long ago: it keeps at least the last `minKept` entries, and at most twice as many. */
export class RecentMap<Key, Value> {
  readonly #minKept: number
  #young = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  constructor(minKept: number) {
    this.#minKept = minKept
  }

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: Key, value: Value): void {
    // Forgotten together: to delete the oldest entry of a map takes the longer, the more went before it.
    if (this.#young.size >= this.#minKept) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }
}
