import { type Json, type Path } from '../json.ts'
import { expressionsIn } from '../language/expression.ts'
import { fixedValue } from '../plan/fixed-value.ts'

/** Reports an issue at a path. */
export type ReportIssue = (path: Path, reason: string) => void

/** Validates a value that is sent once, before any document exists, and returns it. */
export function validateFixed(node: Json, path: Path, report: ReportIssue): unknown {
  if (expressionsIn(node).every(({ keyword }) => keyword === '@literal')) return fixedValue(node, path, report)
  report(path, 'cannot hold drawn values: it is sent once, before any row exists')
  return undefined
}
