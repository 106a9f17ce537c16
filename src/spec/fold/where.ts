import { type Json, type JsonObject } from '../../core/json.ts'
import { isUnresolved } from '../../language/expression.ts'
import { collectFindings } from '../../language/reasons.ts'
import { specSchema } from '../schema/schema.ts'
import { type FoldContext } from './fold-context.ts'
import { fold } from './fold.ts'
import { type Combination, addCombinationParameters } from './variants.ts'

/** The combinations for which "where" is true. None, with a report, where it cannot be evaluated. */
export function keepWhere(
  root: JsonObject,
  combinations: readonly Combination[],
  context: FoldContext,
): readonly Combination[] {
  const { variants = null, where = null } = root
  if (where === null || combinations.length === 0) return combinations
  if (variants === null) {
    context.report(['where'], 'there are no "variants" to choose from')
    return combinations
  }
  const answers = combinations.map((combination) =>
    evaluateWhere(where, addCombinationParameters(combination, context)),
  )
  if (answers.includes(undefined)) return []
  const kept = combinations.filter((_, index) => answers[index] === true)
  if (kept.length === 0) context.report(['where'], `excludes all ${combinations.length} combinations of "variants"`)
  return kept
}

/** Undefined, with a report, where the result is not a boolean. */
function evaluateWhere(where: Json, context: FoldContext): boolean | undefined {
  const { node, path } = fold({ node: where, path: ['where'] }, context)
  if (typeof node === 'boolean') return node
  if (!isUnresolved(node))
    for (const { reason } of collectFindings(specSchema.shape.where, node).findings) context.report(path, reason)
  return undefined
}
