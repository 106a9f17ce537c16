/** A load's way to run while others do. */
export type Together = {
  /**
   * Waits for the other loads of the phase, each time that all of them come here.
   * @param readyMs When this load is ready.
   * @returns when all are.
   */
  readonly meet: (readyMs: number) => Promise<number>
  /** The load has ended: the others no longer wait for it. */
  readonly leave: () => void
}

/** A load without others. */
export const alone: Together = { meet: async (readyMs) => readyMs, leave: () => {} }

/** Creates the meeting of so many loads: they begin at the same time, and each waits for the others where it would disturb them. */
export function createMeeting(loads: number): Together {
  let expected = loads
  let waiting: ((readyMs: number) => void)[] = []
  let latestMs = -Infinity

  function goOnIfComplete(): void {
    if (waiting.length < expected) return
    const [all, readyMs] = [waiting, latestMs]
    waiting = []
    latestMs = -Infinity
    for (const goOn of all) goOn(readyMs)
  }

  return {
    meet: (readyMs) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        latestMs = Math.max(latestMs, readyMs)
        goOnIfComplete()
      }),
    leave() {
      expected -= 1
      if (expected > 0) goOnIfComplete()
    },
  }
}
