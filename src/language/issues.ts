import { Problem } from '../core/errors.ts'
import { type Path, pathText } from '../core/json.ts'
import { didYouMean, nearest } from '../core/nearest.ts'

/** Fault at a place. */
export type Finding = {
  readonly path: Path
  readonly reason: string
  /** The most similar valid value: the text of the issue suggests it. */
  readonly nearest?: string | null | undefined
  /** Whether the key is wrong, not its value. */
  readonly atKey?: boolean | undefined
  /** Whether it is valid, but refused for safety. */
  readonly refused?: boolean | undefined
}

/** A mistake in a spec, at its path in the file. */
export type Issue = Finding & {
  /** The name of the step or rule that found it. */
  readonly code: string
}

export type Marks = Omit<Finding, 'path' | 'reason'>

export type Report = (path: Path, reason: string, marks?: Marks) => void

export const oneFinding = (path: Path, reason: string, meant: string | null = null): readonly Finding[] => [
  { path, reason, nearest: meant },
]

/** The reason of a finding, with its suggestion. */
export const findingText = ({ reason, nearest: meant = null }: Pick<Finding, 'reason' | 'nearest'>): string =>
  `${reason}${didYouMean(meant)}`

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

  /** Adds what a step finds. */
  reporter(code: string): Report {
    return (path, reason, marks) => this.add({ code, path, reason, ...marks })
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

/** Thrown for a part of a spec that cannot be evaluated. Validation reports it at its path; in a run it is a problem. */
export class InvalidPart extends Problem {
  readonly path: Path
  readonly reason: string

  constructor(path: Path, reason: string, hint: string) {
    super('spec-invalid', path.length > 0 ? `${pathText(path)}: ${reason}` : reason, { hint })
    this.path = path
    this.reason = reason
  }
}

/** Thrown for a part that expands to more than can be processed. */
export class TooLarge extends InvalidPart {
  constructor(path: Path, reason: string) {
    super(path, reason, 'Make its lists, texts or documents smaller.')
  }
}

/** Thrown for a call of a function whose arguments have no result. */
export class NoResult extends InvalidPart {
  constructor(path: Path, reason: string) {
    super(path, reason, 'Change its arguments; `mongo-perf list functions` shows what each function takes.')
  }
}

/** Returns what `make` makes. Undefined, with a report, where a part is invalid. */
export function unlessInvalid<Made>(make: () => Made, report: (path: Path, reason: string) => void): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof InvalidPart)) throw error
    report(error.path, error.reason)
    return undefined
  }
}
