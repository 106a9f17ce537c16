import { type SideName } from '../../results/schema/pairing.ts'
import { drawTurnOrder } from '../turn-order.ts'

/** The turns of two sides that are ready: one sends calls while the other one waits. */
export type Turns = {
  /**
   * Resolves when the side has its next turn, with the length of it in seconds; undefined: it has had all turns of this phase. A side that
   * asks has no call under way, so nothing begins before both have asked.
   */
  readonly wait: (side: SideName) => Promise<number | undefined>
  /** One side has ended: the other one gets no more turns. */
  readonly end: () => void
}

/**
 * Has two sides take turns.
 * @param planPairs Called each time that both sides are ready for a phase. The sides of a pair have one turn each, in this order.
 */
export function alternate(turnSeconds: number, planPairs: () => readonly (readonly [SideName, SideName])[]): Turns {
  const waiting = new Map<SideName, (seconds: number | undefined) => void>()
  let left: SideName[] | undefined
  let hasEnded = false

  function release(sides: readonly SideName[], seconds: number | undefined): void {
    for (const side of sides) {
      const resolve = waiting.get(side)
      waiting.delete(side)
      resolve?.(seconds)
    }
  }

  function proceed(): void {
    if (hasEnded) return release([...waiting.keys()], undefined)
    if (waiting.size < 2) return
    left ??= planPairs().flat()
    const next = left.shift()
    if (next !== undefined) return release([next], turnSeconds)
    left = undefined
    release([...waiting.keys()], undefined)
  }

  return {
    wait: (side) =>
      new Promise((resolve) => {
        waiting.set(side, resolve)
        proceed()
      }),
    end() {
      hasEnded = true
      proceed()
    },
  }
}

/**
 * The order of both sides in a round or in a pair.
 * @param place From 1.
 */
export const chooseSideOrder = (seed: number, place: number): readonly [SideName, SideName] =>
  drawTurnOrder(['a', 'b'], seed, place)[0] === 'a' ? ['a', 'b'] : ['b', 'a']
