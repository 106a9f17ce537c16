import { isTrue } from '../functions/comparison.ts'
import { findFunction } from '../functions/index.ts'
import { isObject, type Json, type JsonObject, type Path } from '../json.ts'
import { memberOf } from '../values/bson-types.ts'
import { asExpression, isStatic, unresolved } from '../language/expression.ts'
import { type Origins } from '../language/origins.ts'
import { type FoldContext, type Written } from './fold-context.ts'
import { asArguments, callStatic, evaluated } from './fold-function.ts'

type Scope = ReadonlyMap<string, Written>

const noNames: Scope = new Map()

/** Evaluates everything that depends only on parameters. Generators remain, with the functions and names that need them. */
export function fold(written: Written, context: FoldContext, scope: Scope = noNames): Written {
  const { node, path } = written
  context.budget.spend(1, path)
  if (typeof node !== 'object' || node === null || context.unfolded?.has(node)) return written
  const folded = context.budget.nested(path, () => foldContainer(node, written, context, scope))
  // Before anything looks into it.
  context.budget.measure(folded.node, folded.path)
  return folded
}

function foldContainer(node: Json & object, written: Written, context: FoldContext, scope: Scope): Written {
  const { path } = written
  if (Array.isArray(node)) return { node: foldList(node as readonly Json[], path, context, scope), path }
  const expression = asExpression(node)
  if (expression)
    return foldExpression(
      expression.keyword,
      { node: expression.argument, path: [...path, expression.keyword] },
      written,
      context,
      scope,
    )
  return { node: foldObject(node as JsonObject, path, context, scope), path }
}

function foldList(list: readonly Json[], path: Path, context: FoldContext, scope: Scope): Json {
  return collect(
    list.map((item, i) => fold({ node: item, path: [...path, i] }, context, scope)),
    context,
  )
}

/** A list of folded items, with the origin of each. */
function collect(items: readonly Written[], { origins }: FoldContext): Json {
  const folded = items.map((item) => item.node)
  origins.set(folded, new Map(items.map((item, i) => [i, item.path])))
  return folded
}

function foldObject(object: { readonly [key: string]: Json }, path: Path, context: FoldContext, scope: Scope): Json {
  const folded: Record<string, Json> = {}
  const places = new Map<string, Path>()
  for (const [key, item] of Object.entries(object)) {
    const result = fold({ node: item, path: [...path, key] }, context, scope)
    folded[key] = result.node
    places.set(key, result.path)
  }
  context.origins.set(folded, places)
  return folded
}

function foldExpression(
  keyword: string,
  argument: Written,
  whole: Written,
  context: FoldContext,
  scope: Scope,
): Written {
  if (keyword === '@literal') return whole
  if (keyword === '@param') return foldParameter(argument, whole, context)
  if (keyword === '@var') return foldVariable(argument, whole, scope)
  if (keyword === '@cond') return foldCondition(argument, whole, context, scope)
  if (keyword === '@map') return foldMap(argument, whole, context, scope)
  const known = findFunction(keyword)
  const folded = fold(argument, context, scope)
  if (!known) return rewrap(keyword, folded, whole, context)
  const args = Array.isArray(argument.node) ? folded : asArguments(known, folded)
  context.budget.spendOn(args.node, whole.path)
  const result = callStatic(known, args, whole.path, context)
  if (result === undefined) return rewrap(keyword, args, whole, context)
  context.budget.spendOn(result, whole.path)
  return { node: result, path: whole.path }
}

function rewrap(keyword: string, argument: Written, whole: Written, { origins }: FoldContext): Written {
  const node = { [keyword]: argument.node }
  origins.set(node, new Map([[keyword, argument.path]]))
  return { node, path: whole.path }
}

function foldParameter(argument: Written, whole: Written, context: FoldContext): Written {
  if (typeof argument.node !== 'string') {
    context.report(whole.path, '"@param" takes the name of a parameter')
    return { node: unresolved, path: whole.path }
  }
  const [name = '', ...steps] = argument.node.split('.')
  const found = context.parameters.get(name, argument.path, context)
  return found ? inside(found, steps, context.origins) : { node: unresolved, path: whole.path }
}

function foldVariable(argument: Written, whole: Written, scope: Scope): Written {
  if (typeof argument.node !== 'string') return whole
  const [name = '', ...steps] = argument.node.split('.')
  const found = scope.get(name)
  return found ? { node: inside(found, steps, undefined).node, path: found.path } : whole
}

/** Follows a dotted path into JSON; a missing step is null. */
function inside(start: Written, steps: readonly string[], origins: Origins | undefined): Written {
  let { node, path } = start
  for (const step of steps) {
    const key = Array.isArray(node) ? Number(step) : step
    path = (node !== null && typeof node === 'object' ? origins?.get(node)?.get(key) : undefined) ?? path
    node = (memberOf(node, step) as Json | undefined) ?? null
  }
  return { node, path }
}

function foldCondition(argument: Written, whole: Written, context: FoldContext, scope: Scope): Written {
  const parts = Array.isArray(argument.node) ? (argument.node as readonly Json[]) : []
  if (parts.length !== 3) {
    context.report(whole.path, '"@cond" takes a list of three: [if, then, else]')
    return { node: unresolved, path: whole.path }
  }
  const part = (i: number): Written => fold({ node: parts[i] ?? null, path: [...argument.path, i] }, context, scope)
  const condition = part(0)
  context.budget.spendOn(condition.node, condition.path)
  if (isStatic(condition.node)) return isTrue(evaluated(condition, context)) ? part(1) : part(2)
  return rewrap('@cond', { node: collect([condition, part(1), part(2)], context), path: argument.path }, whole, context)
}

function foldMap(argument: Written, whole: Written, context: FoldContext, scope: Scope): Written {
  const parts = isObject(argument.node) ? argument.node : {}
  const name = parts['as']
  const unknown = Object.keys(parts).find((key) => !['input', 'as', 'in'].includes(key))
  if (typeof name !== 'string' || parts['input'] === undefined || parts['in'] === undefined || unknown !== undefined) {
    context.report(whole.path, '"@map" takes {"input": a list, "as": a name, "in": an expression}')
    return { node: unresolved, path: whole.path }
  }
  const input = fold({ node: parts['input'], path: [...argument.path, 'input'] }, context, scope)
  context.budget.spendOn(input.node, input.path)
  const body: Written = { node: parts['in'], path: [...argument.path, 'in'] }
  if (!isStatic(input.node)) {
    const inner = fold(body, context, without(scope, name))
    return rewrap(
      '@map',
      { node: { input: input.node, as: name, in: inner.node }, path: argument.path },
      whole,
      context,
    )
  }
  if (!Array.isArray(input.node)) {
    if (input.node === null) return { node: null, path: whole.path }
    context.report(input.path, '"input" of "@map" must be a list')
    return { node: unresolved, path: whole.path }
  }
  const items = (input.node as readonly Json[]).map((item) =>
    fold(body, context, new Map([...scope, [name, { node: item, path: body.path }]])),
  )
  return { node: collect(items, context), path: whole.path }
}

const without = (scope: Scope, name: string): Scope => new Map([...scope].filter(([key]) => key !== name))
