import { type Json, type Path } from '../json.ts'
import { expressionsIn } from '../language/expression.ts'
import { fixedValue } from '../plan/fixed-value.ts'

export type Tell = (path: Path, reason: string) => void

/** Makes a value that is sent once, before there is a row, and tells what cannot be made then. */
export function validateFixed(node: Json, path: Path, tell: Tell): unknown {
  if (expressionsIn(node).every(({ keyword }) => keyword === '@literal')) return fixedValue(node, path, tell)
  tell(path, 'nothing in here can be drawn: it is sent once, before there is a row')
  return undefined
}
