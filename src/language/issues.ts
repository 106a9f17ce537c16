import { type Path } from '../core/json.ts'
import { didYouMean, nearest } from '../core/nearest.ts'

/** A mistake in a spec. */
export type Issue = {
  /** Path in the file. */
  readonly path: Path
  readonly reason: string
  /** Whether the key is wrong, not its value. */
  readonly atKey?: boolean | undefined
  /** Whether it is valid, but refused for safety. */
  readonly refused?: boolean | undefined
}

/** Maximum number of issues that are reported for a spec. */
export const maxIssues = 1000

/** Collects all issues of a spec. An issue at or below a path that already has one is dropped: it is a consequence. */
export class Issues {
  readonly #found: Issue[] = []
  readonly #places = new Set<string>()
  readonly #ofTheWhole = new Set<string>()

  /** Whether further issues are ignored. */
  get isFull(): boolean {
    return this.#found.length >= maxIssues
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

/** The end of a reason: `; did you mean "x"?`, or all known names when they are few. */
export function suggestion(keyword: string, known: Iterable<string>): string {
  const keywords = [...known]
  const near = nearest(keyword, keywords)
  if (near !== undefined) return didYouMean(near)
  return keywords.length > 0 && keywords.length <= 12 ? `; known: ${keywords.join(', ')}` : ''
}
