import { didYouMean, nearest } from '../nearest.ts'
import { type Path } from '../json.ts'

/** Something wrong with a spec: where, why, and the nearest word that would be right. */
export type Issue = {
  /** Place in the file as written. */
  readonly path: Path
  readonly reason: string
  /** At the key rather than at its value. */
  readonly atKey?: boolean | undefined
  /** Words that nothing knows come first: they are often the cause of what follows. */
  readonly unknownWord?: boolean | undefined
  /** Nothing is wrong with it, but safety forbids it. */
  readonly refused?: boolean | undefined
}

/** More than anybody reads: a broken program may write specs too. */
export const mostProblems = 1000

/** Collects all problems of a spec; a problem at or below a place that already has one is its echo, and is dropped. */
export class Issues {
  readonly #found: Issue[] = []
  readonly #places = new Set<string>()
  readonly #ofTheWhole = new Set<string>()

  /** Nothing more is taken. */
  get isFull(): boolean {
    return this.#found.length >= mostProblems
  }

  add(issue: Issue): void {
    if (this.isFull || this.#isEcho(issue)) return
    if (issue.path.length === 0) this.#ofTheWhole.add(issue.reason)
    else this.#places.add(placeText(issue.path))
    this.#found.push(issue)
  }

  get found(): readonly Issue[] {
    return this.#found
  }

  #isEcho({ path, reason }: Issue): boolean {
    if (path.length === 0) return this.#ofTheWhole.has(reason)
    return path.some((_, last) => this.#places.has(placeText(path.slice(0, last + 1))))
  }
}

const placeText = (path: Path): string => JSON.stringify(path)

/** `; did you mean "x"?`, else the words to choose from when they are few. */
export function suggestion(word: string, known: Iterable<string>): string {
  const words = [...known]
  const near = nearest(word, words)
  if (near !== undefined) return didYouMean(near)
  return words.length > 0 && words.length <= 12 ? `; known: ${words.join(', ')}` : ''
}
