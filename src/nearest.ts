import { distance } from 'fastest-levenshtein'

/** The word that was probably meant, if one is near enough. Capitals make no difference. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of known) {
    const steps = slips(word.toLowerCase(), candidate.toLowerCase())
    if (steps < least && steps < Math.max(word.length, candidate.length)) [best, least] = [candidate, steps]
  }
  return best
}

/** The end of a reason. Empty where there is no such word. */
export const didYouMean = (near: string | null | undefined): string => (near ? `; did you mean "${near}"?` : '')

/** Shorter beginnings fit too many words. */
const minBeginning = 3

/** Letters in another order are the likeliest slip of all, then a word that is not written to its end: the shortest of those. */
function slips(word: string, candidate: string): number {
  if (word.length === candidate.length && lettersOf(word) === lettersOf(candidate)) return 0.5
  const missing = candidate.length - word.length
  const isBeginning = word.length >= minBeginning && missing > 0 && candidate.startsWith(word)
  return isBeginning ? missing / (missing + 1) : distance(word, candidate)
}

const lettersOf = (word: string): string => [...word].toSorted().join('')
