import { placeKey, Stream } from '../../core/random.ts'
import { type SideName } from '../../results/schema/pairing.ts'

/**
 * The order of both sides in a round, drawn from the seed. Of the rounds 2n - 1 and 2n each side is first in one: neither side has a fixed
 * place, and however many rounds there will be, what the first of a round gains by its place cancels.
 * @param round From 1.
 */
export function orderOf(seed: number, round: number): readonly [SideName, SideName] {
  const [pair, place] = [Math.ceil(round / 2), round % 2]
  const beginsWithA = new Stream(placeKey(seed, 'rounds')).at(pair).below(2) === place
  return beginsWithA ? ['a', 'b'] : ['b', 'a']
}
