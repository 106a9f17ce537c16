import { closest, distance } from 'fastest-levenshtein'

/** The known name that a misspelt one most likely meant. Null when none is like it. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (known.length === 0) return null
  const best = closest(name, known)
  return distance(name, best) <= Math.max(2, best.length / 2) ? best : null
}
