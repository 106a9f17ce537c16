import { type Pairing } from '../../results/schema/pairing.ts'
import { type Result } from '../../results/schema.ts'
import { type ResultComparison, type Rounds } from './comparison.ts'
import { type ResultPair } from './pair-results.ts'

type Sides = Pick<ResultPair, 'a' | 'b'>

/** How the rounds of two results belong together. */
export const roundsOf = (sides: Sides): Rounds => {
  const pairings = pairingsOf(sides)
  if (pairings === null) return 'unpaired'
  return pairings.a.rounds === 'fixed' ? 'paired' : 'sequential'
}

/** What each side alone has, if the results are the sides of one comparison. */
export function settingsOf([first, ...others]: readonly Sides[]): ResultComparison['settings'] {
  const pairings = first && others.length === 0 ? pairingsOf(first) : null
  return pairings && { a: pairings.a.settings, b: pairings.b.settings }
}

function pairingsOf({ a, b }: Sides): { readonly a: Pairing; readonly b: Pairing } | null {
  const [ofA, ofB] = [a.pairing, b.pairing]
  return ofA && ofB && ofA.id === ofB.id && ofA.side !== ofB.side ? { a: ofA, b: ofB } : null
}

/** The rounds of which a result has a finished row. */
export const roundCount = ({ variants }: Result): number =>
  new Set(variants.flatMap(({ run, status }) => (status === 'done' ? run : []))).size
