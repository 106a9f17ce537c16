import { Problem } from '../errors.ts'
import { type Path, pathText } from '../json.ts'

/** Thrown for a part of a spec that expands to more than can be processed. Validation reports it at its path; in a run it is a problem. */
export class TooLarge extends Problem {
  readonly path: Path
  readonly reason: string

  constructor(path: Path, reason: string) {
    super('spec-invalid', path.length > 0 ? `${pathText(path)}: ${reason}` : reason, {
      hint: 'Make its lists, texts or documents smaller.',
    })
    this.path = path
    this.reason = reason
  }
}

/** Returns what `make` makes. Undefined, with a report, where a part is too large. */
export function unlessTooLarge<Made>(make: () => Made, report: (path: Path, reason: string) => void): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    report(error.path, error.reason)
    return undefined
  }
}
