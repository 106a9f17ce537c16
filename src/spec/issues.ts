import { distance } from 'fastest-levenshtein'
import { type Path, pathText } from '../json.ts'

/** Something wrong with a spec: where, why, and the nearest word that would be right. */
export type Issue = {
  /** Place in the file as written. */
  readonly path: Path
  readonly reason: string
  /** At the key rather than at its value. */
  readonly atKey?: boolean
  /** Words that nothing knows come first: they are often the cause of what follows. */
  readonly unknownWord?: boolean
}

/** Collects all problems of a spec; a problem at or below a place that already has one is its echo, and is dropped. */
export class Issues {
  readonly #found: Issue[] = []

  add(issue: Issue): void {
    const echoes = this.#found.some((earlier) => startsWith(issue.path, earlier.path) && earlier.path.length > 0)
    const repeats = this.#found.some(
      (earlier) => earlier.reason === issue.reason && pathText(earlier.path) === pathText(issue.path),
    )
    if (!echoes && !repeats) this.#found.push(issue)
  }

  get found(): readonly Issue[] {
    return this.#found
  }
}

const startsWith = (path: Path, start: Path): boolean =>
  start.length <= path.length && start.every((step, i) => path[i] === step)

/** The word that was probably meant, if one is near enough. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length * 0.4)) + 1
  for (const candidate of known) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase())
    if (steps < least) [best, least] = [candidate, steps]
  }
  return best
}

/** " (did you mean "x"?)", else the words to choose from when they are few. */
export function suggestion(word: string, known: Iterable<string>): string {
  const words = [...known]
  const near = nearest(word, words)
  if (near !== undefined) return `; did you mean "${near}"?`
  return words.length > 0 && words.length <= 12 ? `; known: ${words.join(', ')}` : ''
}
