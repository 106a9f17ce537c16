import { arithmetic, conversions } from './arithmetic.ts'
import { collections } from './collections.ts'
import { comparisons, logic } from './comparison.ts'
import { type SpecFunction } from './function.ts'
import { hashes } from './hash.ts'

/** All functions. A new one is an entry in one of these lists. */
export const functions: readonly SpecFunction[] = [
  ...arithmetic,
  ...comparisons,
  ...logic,
  ...collections,
  ...conversions,
  ...hashes,
]

const byKeyword = new Map(functions.map((entry) => [entry.keyword as string, entry]))

/** The function of a keyword such as "@add". */
export const findFunction = (keyword: string): SpecFunction | undefined => byKeyword.get(keyword)
