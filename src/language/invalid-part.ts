import { Problem } from '../core/errors.ts'
import { type Path, pathText } from '../core/json.ts'

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
