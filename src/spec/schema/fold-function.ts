import { type Json, type Path } from '../../core/json.ts'
import { isStatic, isUnresolved, unresolved } from '../../language/expression.ts'
import { type Call, parse } from '../../language/parse.ts'
import { unlessInvalid } from '../../language/invalid-part.ts'
import { strictFunctionOf } from '../../language/semantics.ts'
import { isNumber, toNumber } from '../../language/values/bson-types.ts'
import { fromJson, toJson } from '../../language/values/extended-json.ts'
import { type FoldContext, type Written } from './fold-context.ts'

/** The folded argument as it stands behind the name of the function. */
export function argumentOf(
  { called, args: [part] }: Call,
  folded: readonly Written[],
  collect: (items: readonly Written[]) => Written,
): Written {
  const [only] = folded
  // Arguments of a list are one step further inside.
  if (part === undefined || only === undefined || part.path.length > 1) return collect(folded)
  // A list that is found is the argument of a function of one argument, not its list of arguments.
  const isFound = Array.isArray(only.node) && !Array.isArray(part.node)
  return isFound && called.arity[1] === 1 && !called.takesList ? { node: [only.node], path: only.path } : only
}

/** The result of a call of a function: undefined when a part of it is drawn, `unresolved` when it is invalid. */
export function callStatic(keyword: string, argument: Written, place: Path, context: FoldContext): Json | undefined {
  if (isUnresolved(argument.node)) return unresolved
  const invalid = (reason: string): Json => {
    context.report(place, reason)
    return unresolved
  }
  const call = parse({ [keyword]: argument.node })
  if (call.kind === 'malformed') return invalid(call.reason)
  if (call.kind !== 'call') return undefined
  const reason = drawnTooLate(call, argument.path, context)
  if (reason !== undefined) return invalid(reason)
  if (!isStatic(argument.node)) return undefined
  const values = call.args.map(({ node }) => evaluated({ node, path: argument.path }, context))
  if (values.includes(undefined)) return unresolved
  const result = unlessInvalid(() => strictFunctionOf(call, place)(values), context.report)
  if (result === undefined) return unresolved
  return keyword === '@range' && result === null
    ? invalid('"@range" takes whole numbers, a step other than 0, and gives at most 100000 numbers')
    : toJson(result)
}

/** Why a call cannot wait for what is drawn. */
function drawnTooLate({ called, args }: Call, path: Path, context: FoldContext): string | undefined {
  if (called.staticOnly && !args.every(({ node }) => isStatic(node)))
    return `"${called.keyword}" must be known when the plan is made: no drawn values in it`
  if (!called.divides) return undefined
  const divisor = args[1]?.node ?? null
  if (!isStatic(divisor)) return `the divisor of "${called.keyword}" must be known when the plan is made`
  const number = evaluated({ node: divisor, path: [...path, 1] }, context)
  return number === undefined || (isNumber(number) && toNumber(number) !== 0)
    ? undefined
    : `the divisor of "${called.keyword}" must be a number other than 0`
}

/** The value of a node of Extended JSON. Undefined, with a report, where it is not valid. */
export function evaluated({ node, path }: Written, { report }: FoldContext): unknown {
  try {
    return fromJson(node)
  } catch (error) {
    report(path, `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
