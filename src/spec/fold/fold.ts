import { isObject, type Json, type Path } from '../../core/json.ts'
import { isStatic, isUnresolved, unresolved } from '../../language/expression.ts'
import { isTrue } from '../../language/functions/comparison.ts'
import { interpret, type Interpretation, jsonMember, createStrictFunction } from '../../language/interpret.ts'
import { unlessInvalid } from '../../language/issues.ts'
import { type Call, parse, type Reading } from '../../language/parse.ts'
import { type Origins } from '../../language/prune.ts'
import { isNumber, toNumber } from '../../language/values/bson-types.ts'
import { fromJson, toJson } from '../../language/values/extended-json.ts'
import { type FoldContext, type Written } from './fold-context.ts'

/** Surroundings of a node that is folded. */
type FoldScope = { readonly path: Path; readonly elements: ReadonlyMap<string, Written>; readonly context: FoldContext }

/** Evaluates everything that depends only on parameters. Generators remain, with the functions and names that need them. */
export const fold = ({ node, path }: Written, context: FoldContext): Written =>
  foldPart(node, { path, elements: new Map(), context })

function foldPart(node: Json, scope: FoldScope): Written {
  const { path, context } = scope
  context.budget.spend(1, path)
  if (typeof node !== 'object' || node === null || context.unfolded?.has(node)) return { node, path }
  const folded = context.budget.nested(path, () => interpret(node, scope, folding))
  // Before anything looks into it.
  context.budget.measure(folded.node, folded.path)
  return folded
}

const folding: Interpretation<FoldScope, Written> = {
  inside: (scope, step) => ({ ...scope, path: [...scope.path, step] }),
  part: foldPart,
  constant: (node, { path }) => ({ node, path }),
  literal: (_value, { path }, node) => ({ node, path }),
  list: (items, _parts, { path, context }) => collectItems(items, path, context),
  document(values, { fields }, { path, context }) {
    const keys = fields.map((field) => String(field.path[0]))
    const node = Object.fromEntries(keys.map((key, i) => [key, values[i]?.node ?? null]))
    context.origins.set(node, new Map(keys.map((key, i) => [key, values[i]?.path ?? path])))
    return { node, path }
  },
  parameter({ name, steps }, { path, context }) {
    const found = context.parameters.get(name, [...path, '@param'], context)
    return found ? follow(found, steps, context.origins) : { node: unresolved, path }
  },
  variable(reading, { path, elements }) {
    const found = elements.get(reading.name)
    return found ? { ...follow(found, reading.steps), path: found.path } : { node: asWritten(reading), path }
  },
  condition(test, ifTrue, ifFalse, scope) {
    const { path, context } = scope
    context.budget.spendOn(test.node, test.path)
    if (isStatic(test.node)) return isTrue(evaluated(test, context)) ? ifTrue() : ifFalse()
    return rewrap('@cond', collectItems([test, ifTrue(), ifFalse()], [...path, '@cond'], context), scope)
  },
  map(input, { as }, body, scope) {
    const { path, elements, context } = scope
    context.budget.spendOn(input.node, input.path)
    if (!isStatic(input.node)) {
      const inner = body({ ...scope, elements: new Map([...elements].filter(([name]) => name !== as)) })
      return rewrap('@map', { node: { input: input.node, as, in: inner.node }, path: [...path, '@map'] }, scope)
    }
    if (input.node === null) return { node: null, path }
    if (!Array.isArray(input.node)) {
      context.report(input.path, '"input" of "@map" must be a list')
      return { node: unresolved, path }
    }
    const made = (input.node as readonly Json[]).map((node) =>
      body({ ...scope, elements: new Map([...elements, [as, { node, path: [...path, '@map', 'in'] }]]) }),
    )
    return collectItems(made, path, context)
  },
  call(args, form, scope) {
    const { path, context } = scope
    const argument = foldArgument(form, args, (items) => collectItems(items, [...path, form.called.keyword], context))
    context.budget.spendOn(argument.node, path)
    const result = callStatic(form.called.keyword, argument, path, context)
    if (result === undefined) return rewrap(form.called.keyword, argument, scope)
    context.budget.spendOn(result, path)
    return { node: result, path }
  },
  keyword: ({ keyword, argument }, scope) =>
    rewrap(keyword, foldPart(argument.node, folding.inside(scope, keyword)), scope),
  malformed({ reason }, { path, context }) {
    context.report(path, reason)
    return { node: unresolved, path }
  },
}

/** A list of folded items, with the origin of each. */
function collectItems(items: readonly Written[], path: Path, { origins }: FoldContext): Written {
  const node = items.map((item) => item.node)
  origins.set(node, new Map(items.map((item, i) => [i, item.path])))
  return { node, path }
}

/** An expression that is left for later. */
function rewrap(keyword: string, argument: Written, { path, context }: FoldScope): Written {
  const node = { [keyword]: argument.node }
  context.origins.set(node, new Map([[keyword, argument.path]]))
  return { node, path }
}

const asWritten = ({ name, steps }: Reading): Json => ({ '@var': [name, ...steps].join('.') })

/** Follows a dotted path into JSON; a missing step is null. */
function follow(start: Written, steps: readonly string[], origins?: Origins): Written {
  let { node, path } = start
  for (const step of steps) {
    const key = Array.isArray(node) ? Number(step) : step
    path = (isObject(node) || Array.isArray(node) ? origins?.get(node)?.get(key) : undefined) ?? path
    node = jsonMember(node, step) ?? null
  }
  return { node, path }
}

/** The folded argument as it stands behind the name of the function. */
function foldArgument(
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
function callStatic(keyword: string, argument: Written, argumentPath: Path, context: FoldContext): Json | undefined {
  if (isUnresolved(argument.node)) return unresolved
  const invalid = (reason: string): Json => {
    context.report(argumentPath, reason)
    return unresolved
  }
  const call = parse({ [keyword]: argument.node })
  if (call.kind === 'malformed') return invalid(call.reason)
  if (call.kind !== 'call') return undefined
  const reason = drawnTooLate(call, argument.path, context)
  if (reason !== undefined) return invalid(reason)
  if (!isStatic(argument.node)) return undefined
  const values = call.args.map(({ node, path }) =>
    evaluated({ node, path: [...argument.path, ...path.slice(1)] }, context),
  )
  if (values.includes(undefined)) return unresolved
  const result = unlessInvalid(() => createStrictFunction(call, argumentPath)(values), context.report)
  if (result === undefined) return unresolved
  return keyword === '@range' && result === null
    ? invalid('"@range" takes whole numbers, a step other than 0, and gives at most 100,000 numbers')
    : toJson(result)
}

/** Why a call cannot wait for what is drawn. */
function drawnTooLate({ called, args }: Call, path: Path, context: FoldContext): string | undefined {
  if (called.staticOnly && !args.every(({ node }) => isStatic(node)))
    return `"${called.keyword}" must be known when the plan is made, so it cannot contain drawn values`
  if (!called.divides) return undefined
  const divisor = args[1]?.node ?? null
  if (!isStatic(divisor)) return `the divisor of "${called.keyword}" must be known when the plan is made`
  const number = evaluated({ node: divisor, path: [...path, 1] }, context)
  return number === undefined || (isNumber(number) && toNumber(number) !== 0)
    ? undefined
    : `the divisor of "${called.keyword}" must be a number other than 0`
}

/** The value of a node of Extended JSON. Undefined, with a report, where it is not valid. */
function evaluated({ node, path }: Written, { report }: FoldContext): unknown {
  try {
    return fromJson(node)
  } catch (error) {
    report(path, `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
