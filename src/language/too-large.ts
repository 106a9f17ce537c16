import { Problem } from '../errors.ts'
import { type Path, pathText } from '../json.ts'

/** A spec that stands for more than can be worked on. A check reports it at its place; while a spec runs it is a problem like any other. */
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

/** Calls back with the place and the reason where something is too large. Undefined then. */
export function unlessTooLarge<Made>(make: () => Made, report: (path: Path, reason: string) => void): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    report(error.path, error.reason)
    return undefined
  }
}
