import { arithmetic, conversions } from './arithmetic.ts'
import { collections } from './collections.ts'
import { comparisons, logic } from './comparison.ts'
import { type SpecFunction } from './function.ts'
import { hashes } from './hash.ts'

/** A new function is one entry in one of these lists. */
export const functions: readonly SpecFunction[] = [
  ...arithmetic,
  ...comparisons,
  ...logic,
  ...collections,
  ...conversions,
  ...hashes,
]

const byWord = new Map(functions.map((entry) => [entry.word as string, entry]))

export const findFunction = (word: string): SpecFunction | undefined => byWord.get(word)
