import { emptyReply } from '../../load/engines/engine.ts'
import { type Json } from '../../core/json.ts'
import { expressionsIn } from '../../language/expression.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { type ValueScope } from '../../language/values/scope.ts'

const fields = Object.keys(emptyReply)

/**
 * Validates the fields of replies that a step reads. An unknown field would be null in every call, and no one would notice that
 * the step never runs.
 * @param earlier The names of the steps before it.
 */
export function validateReplies(step: Json, earlier: ReadonlySet<string>, { path, report }: ValueScope): void {
  for (const { keyword, argument } of expressionsIn(step)) {
    const [name = '', field] = keyword === '@var' && typeof argument === 'string' ? argument.split('.') : []
    if (field === undefined || !earlier.has(name) || fields.includes(field)) continue
    report(
      path,
      `the reply of "${name}" has no "${field}"${didYouMean(nearest(field, fields)) || `; it has: ${fields.join(', ')}`}`,
    )
  }
}
