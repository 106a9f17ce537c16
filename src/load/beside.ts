import { placeKey, Stream } from '../core/random.ts'

/** A load's way to run beside others. */
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

/** A load without others beside it. */
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

/** A load that is on and off in turn beside others. */
export type Alternation = {
  /** Its name. */
  readonly load: string
  /** Length of a stretch. */
  readonly seconds: number
  /** Whether it is on, for each stretch: they are pairs of one with it and one without it. */
  readonly isOn: readonly boolean[]
}

/** Draws which stretch of each pair comes first. */
export function orderStretches(pairs: number, seed: number, place: string): readonly boolean[] {
  const draws = new Stream(placeKey(seed, `${place}#alternate`))
  return Array.from({ length: pairs }, (_, pair) => draws.at(pair).float() < 0.5).flatMap((first) => [first, !first])
}
