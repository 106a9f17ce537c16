import { distance } from 'fastest-levenshtein'

/** Names of other tools and languages, under those of mongo-perf. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['throughput', 'opsPerSecond'],
  ['qps', 'opsPerSecond'],
  ['tps', 'opsPerSecond'],
  ['rps', 'opsPerSecond'],
  ['latency', 'meanMs'],
  ['avg', 'meanMs'],
  ['median', 'p50Ms'],
  ['p99.9', 'p999Ms'],
  ['@integer', '@int'],
  ['@float', '@double'],
  ['@text', '@string'],
  ['count', 'countDocuments'],
])

/** The known word that was probably meant, if one is near enough. Ignores case. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const known = [...candidates]
  const meant = synonyms.get(word.toLowerCase())
  if (meant !== undefined && known.includes(meant)) return meant
  let best: string | undefined
  let bestSteps = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of known) {
    const steps = distanceBetween(word.toLowerCase(), candidate.toLowerCase())
    if (steps < bestSteps && steps < Math.max(word.length, candidate.length)) [best, bestSteps] = [candidate, steps]
  }
  return best
}

/** The suggestion at the end of a message. Empty where there is none. */
export const didYouMean = (near: string | null | undefined): string => (near ? `; did you mean "${near}"?` : '')

/** A shorter prefix matches too many words. */
const minBeginning = 3

/** Edit distance of two words. Swapped letters are the likeliest mistake, then an incomplete word, the shortest first. */
function distanceBetween(word: string, candidate: string): number {
  if (word.length === candidate.length && sortLetters(word) === sortLetters(candidate)) return 0.5
  const missing = candidate.length - word.length
  const isBeginning = word.length >= minBeginning && missing > 0 && candidate.startsWith(word)
  return isBeginning ? missing / (missing + 1) : distance(word, candidate)
}

const sortLetters = (word: string): string => [...word].toSorted().join('')
