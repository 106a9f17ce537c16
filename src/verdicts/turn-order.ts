import { placeKey, Stream } from '../core/random.ts'

/**
 * The order in which sides, or functions, have a turn each: drawn from the seed, by the method of R. A. Fisher and F. Yates. Of the places 2n - 1 and
 * 2n, the second one has the order of the first in reverse: none has a fixed place, and however many places there will be, what the first gains
 * by its place cancels.
 * @param place From 1.
 */
export function drawTurnOrder<Item>(items: readonly Item[], seed: number, place: number): readonly Item[] {
  const draws = new Stream(placeKey(seed, 'rounds')).at(Math.ceil(place / 2))
  const left = [...items]
  const order = items.flatMap(() => left.splice(draws.below(left.length), 1))
  return place % 2 === 0 ? order.toReversed() : order
}
