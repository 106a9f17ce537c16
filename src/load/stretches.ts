/** A phase that takes turns with another one: it sends calls only while it has the turn. */
export type Stretches = {
  /** The side of a comparison that the load is of. Each has data of its own. */
  readonly side: string
  /**
   * Resolves when the turn comes: all calls of the other side have been answered by then.
   * @returns the length of the stretch, or undefined when the phase has had enough of them.
   */
  readonly next: () => Promise<number | undefined>
}

/** Beginning of a stretch whose calls are not measured: caches of the processor and connections are those of the other side. */
export const leadInSeconds = 0.05

/** Each stretch goes on from a warm load, so a warm-up need not be longer. */
export const maxWarmupSeconds = 1
