import { Problem } from '../../errors.ts'

/** One look at an event loop, once a second. */
export type Look = {
  /** Rises whenever the event loop turns. */
  readonly beats: number
  /** Memory of the whole process. */
  readonly rssBytes: number
}

/** Nothing that mongo-perf computes in one go takes so long. */
const maxStillLooks = 120
/** An endless loop that allocates needs no more looks: 100 MB a second were seen, until the machine had no more. */
const growingLooks = 10
const maxGrownBytes = 2 ** 30

/**
 * Watches for an event loop that will not turn again. Looks are counted, and times are not compared: a process that is
 * suspended, or a laptop that sleeps, is not looked at meanwhile.
 * @returns a function that takes the next look, and returns why to give the event loop up.
 */
export function createStallWatch(): (look: Look) => string | undefined {
  let last: Look | undefined
  let still = 0
  return (look) => {
    if (last === undefined || look.beats !== last.beats) {
      last = look
      still = 0
      return undefined
    }
    still += 1
    const grownBytes = look.rssBytes - last.rssBytes
    if (still >= growingLooks && grownBytes > maxGrownBytes)
      return `its event loop stood still for ${still} s, while it took ${Math.round(grownBytes / 2 ** 20)} MB more memory`
    return still >= maxStillLooks ? `its event loop stood still for ${still} s` : undefined
  }
}

/** @param who "The run" */
export const stalled = (who: string, reason: string): Problem =>
  new Problem('target-unreachable', `${who} was ended: ${reason}`, {
    hint: 'A reply that is damaged makes the driver loop without end: check that the address leads to a MongoDB, and what lies in between. Finished rows are in the result; --resume runs the others.',
  })
