import { isObject, type Json } from '../../core/json.ts'
import { asExpression } from '../../language/expression.ts'

const keys: ReadonlySet<string> = new Set(['value', 'where'])

/**
 * The expressions of the report part. They are evaluated row by row after the measurement, so they are not folded: that would
 * insert the parameters of one row.
 */
export function reportExpressions(report: Json | undefined): ReadonlySet<Json> {
  const found = new Set<Json>()
  const visit = (node: Json): void => {
    if (Array.isArray(node)) return (node as readonly Json[]).forEach(visit)
    if (!isObject(node)) return
    const isItem = asExpression(node) === undefined
    for (const [key, item] of Object.entries(node)) {
      if (isItem && keys.has(key)) found.add(item)
      else visit(item)
    }
  }
  if (!isObject(report)) return found
  const { let: given, ...others } = report
  visit(others)
  for (const item of isObject(given) ? Object.values(given) : []) found.add(item)
  return found
}
