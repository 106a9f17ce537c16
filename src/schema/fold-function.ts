import { functionArguments } from '../functions/arguments.ts'
import { type SpecFunction } from '../functions/function.ts'
import { type Json, type Path } from '../json.ts'
import { isNumber, toNumber } from '../values/bson-types.ts'
import { fromJson, toJson } from '../values/extended-json.ts'
import { isStatic, isUnresolved, unresolved } from '../language/expression.ts'
import { type FoldContext, type Written } from './fold-context.ts'

/** Wraps a list into an argument list where the function takes one argument: the list is that argument. */
export function asArguments(known: SpecFunction, { node, path }: Written): Written {
  return Array.isArray(node) && known.arity[1] === 1 && !known.takesList ? { node: [node], path } : { node, path }
}

/** The result of a function call: undefined when a part of it is drawn, `unresolved` when it is invalid. */
export function callStatic(
  known: SpecFunction,
  argument: Written,
  place: Path,
  context: FoldContext,
): Json | undefined {
  if (isUnresolved(argument.node)) return unresolved
  const args = functionArguments(known, argument.node)
  const wrong = wrongCall(known, args, argument.path, context)
  if (wrong !== undefined) {
    context.report(place, wrong)
    return unresolved
  }
  if (!isStatic(argument.node)) return undefined
  const values = args.map((node) => evaluated({ node, path: argument.path }, context))
  if (values.includes(undefined)) return unresolved
  const result = known.apply(values)
  if (known.keyword !== '@range' || result !== null) return toJson(result)
  context.report(place, '"@range" takes whole numbers, a step other than 0, and gives at most 100000 numbers')
  return unresolved
}

function wrongCall(known: SpecFunction, args: readonly Json[], path: Path, context: FoldContext): string | undefined {
  const [min, max] = known.arity
  if (args.length < min || args.length > max) {
    const expected = min === max ? `${min}` : `${min} to ${max}`
    return `"${known.keyword}" takes ${expected} argument${max === 1 ? '' : 's'}, not ${args.length}`
  }
  if (known.staticOnly && !args.every(isStatic))
    return `"${known.keyword}" must be known when the plan is made: no drawn values in it`
  if (known.divides) {
    const divisor = args[1] ?? null
    if (!isStatic(divisor)) return `the divisor of "${known.keyword}" must be known when the plan is made`
    const number = evaluated({ node: divisor, path: [...path, 1] }, context)
    if (number !== undefined && (!isNumber(number) || toNumber(number) === 0))
      return `the divisor of "${known.keyword}" must be a number other than 0`
  }
  return undefined
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
