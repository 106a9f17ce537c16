import { isTrue } from '../functions/comparison.ts'
import { type SpecFunction } from '../functions/function.ts'
import { findFunction } from '../functions/index.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { type Result } from '../results/schema.ts'
import { asExpression } from '../language/expression.ts'
import { functionArguments } from '../functions/arguments.ts'
import { isNumber, memberOf, toNumber } from '../values/bson-types.ts'
import { isWrapper, toJson } from '../values/extended-json.ts'
import { parseAddress } from './address.ts'
import { clusterNames } from './cluster.ts'
import { ratiosOf, type RatioSpec } from './let-ratios.ts'
import { parameterValue, readValue, variedNames } from './parameters.ts'
import { type Cell, measuredCell, type Row, rowsOf } from './rows.ts'
import { type ReportSpec, type TableRows } from '../schema/report-schema.ts'
import { shapeOf } from './scope.ts'
import { type At, siblingOf } from './siblings.ts'

/** Evaluates the expressions of a report on measured figures. */
export type Evaluator = {
  readonly value: (expression: Json, row: Row) => unknown
  /** Whether a row matches a `where`; undefined matches all. */
  readonly holds: (where: Json | undefined, row: Row) => boolean
  /** A value of the report's `let`. Null if it differs between rows or is unknown. */
  readonly shared: (name: string) => unknown
}

/** A row, and the variables that `@var` can read. */
type EvaluationContext = {
  readonly row: Row
  /** Number of values of the report's `let` that are visible. */
  readonly lets: number
  readonly locals: ReadonlyMap<string, unknown>
}

const noLocals: EvaluationContext['locals'] = new Map()

/** Creates the evaluator of a report. Values of `let` are those of the variant, whatever the table or chart shows. */
export function createEvaluator(result: Result, spec: Pick<ReportSpec, 'let'>): Evaluator {
  const shape = shapeOf(result)
  const varied = variedNames(result)
  const lets = Object.entries(spec.let ?? {})
  const rowsOfKind = memoize((kind: TableRows) => rowsOf(result, kind === 'once' ? 'variants' : kind))
  const variantRows = rowsOfKind('variants')
  const ratios = ratiosOf(lets, { shape, rows: variantRows, varied })
  const letOf = memoize(([index, number]: readonly [index: number, row: number]) => {
    const row = variantRows.find(({ variant }) => variant.row === number)
    return row === undefined ? null : evaluate(lets[index]?.[1] ?? null, { row, lets: index, locals: noLocals })
  })
  const groupsOf = memoize(({ cluster, lets: visible }: { readonly cluster: JsonObject; readonly lets: number }) => {
    const { of = null, names: wanted } = cluster
    const values = variantRows.map((row) => evaluate(of, { row, lets: visible, locals: noLocals }))
    const names = clusterNames(
      values.map((value) => (isNumber(value) ? toNumber(value) : null)),
      wanted as readonly string[],
    )
    return new Map(variantRows.map(({ variant }, index) => [variant.row, names[index] ?? null]))
  })

  function evaluate(node: Json, at: EvaluationContext): unknown {
    if (Array.isArray(node)) return (node as readonly Json[]).map((item) => evaluate(item, at))
    const expression = asExpression(node)
    if (expression) return call(expression.keyword, expression.argument, at)
    if (!isObject(node) || isWrapper(node)) return readValue(node)
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, evaluate(item, at)]))
  }

  function call(keyword: string, argument: Json, at: EvaluationContext): unknown {
    switch (keyword) {
      case '@literal':
        return readValue(argument)
      case '@param':
        return readValue(parameterValue(at.row.variant, String(argument)))
      case '@var':
        return variable(String(argument), at)
      case '@cond': {
        const [test = null, then = null, otherwise = null] = argument as readonly Json[]
        return evaluate(isTrue(evaluate(test, at)) ? then : otherwise, at)
      }
      case '@map':
        return map(argument as JsonObject, at)
      case '@metric':
        return metric(isObject(argument) ? argument : { of: argument }, at.row)
      case '@ratio':
        return ratios(argument as unknown as RatioSpec, at.row)
      case '@cluster':
        return groupsOf({ cluster: argument as JsonObject, lets: at.lets }).get(at.row.variant.row) ?? null
      default:
        return apply(findFunction(keyword), argument, at)
    }
  }

  function variable(path: string, { row, lets: visible, locals }: EvaluationContext): unknown {
    const [name = '', ...steps] = path.split('.')
    const index = lets.findIndex(([known], position) => known === name && position < visible)
    const start = locals.has(name) || index < 0 ? locals.get(name) : letOf([index, row.variant.row])
    return steps.reduce(memberOf, start) ?? null
  }

  function map({ input = null, as, in: body = null }: JsonObject, at: EvaluationContext): unknown {
    const items = evaluate(input, at)
    if (!Array.isArray(items)) return null
    return items.map((item: unknown) => evaluate(body, { ...at, locals: new Map([...at.locals, [String(as), item]]) }))
  }

  function metric({ of, at = {} }: JsonObject, row: Row): Cell {
    const sibling = siblingOf(row, at as At, rowsOfKind(row.kind), varied)
    return sibling === null ? null : measuredCell(sibling, parseAddress(String(of), shape, row.kind))
  }

  function apply(known: SpecFunction | undefined, argument: Json, at: EvaluationContext): unknown {
    if (known === undefined) return null
    const args = functionArguments(known, argument)
    if (byLabelToo.has(known.keyword) && args.length === 2) return compareByLabelToo(known, args, at)
    const values = args.map((arg) => evaluate(arg, at))
    const [only] = values
    // As in MongoDB, `{"@max": x}` returns the maximum element if x evaluates to a list.
    const spreads = !Array.isArray(argument) && known.arity[1] > 1 && Array.isArray(only)
    return known.apply(spreads ? (only as readonly unknown[]) : values)
  }

  /** In comparisons, a labelled parameter equals its label and its value: "SAFE" and {"w": 1}. */
  function compareByLabelToo(known: SpecFunction, args: readonly Json[], at: EvaluationContext): boolean {
    const readings = args.map((arg) => [evaluate(arg, at), ...labelOf(arg, at.row)])
    const [firsts = [], seconds = []] = readings
    const results = firsts.flatMap((first) => seconds.map((second) => isTrue(known.apply([first, second]))))
    return known.keyword === '@ne' ? results.every(Boolean) : results.some(Boolean)
  }

  const value: Evaluator['value'] = (expression, row) =>
    evaluate(expression, { row, lets: lets.length, locals: noLocals })
  return {
    value,
    holds: (where, row) => where === undefined || isTrue(value(where, row)),
    shared(name) {
      const values = variantRows.map((row) => value({ '@var': name }, row))
      return new Set(values.map((each) => JSON.stringify(toJson(each)))).size === 1 ? values[0] : null
    },
  }
}

const byLabelToo: ReadonlySet<string> = new Set(['@eq', '@ne', '@in'])

function labelOf(node: Json, { variant }: Row): readonly string[] {
  const expression = asExpression(node)
  const label = expression?.keyword === '@param' ? variant.parameters[String(expression.argument)]?.label : undefined
  return label === undefined ? [] : [label]
}

/** The value of an expression as a cell of a table. */
export function cellOf(value: unknown): Cell {
  if (isNumber(value)) return Number.isFinite(toNumber(value)) ? toNumber(value) : null
  if (value === null || value === undefined || typeof value === 'string') return value ?? null
  return JSON.stringify(toJson(value))
}

/** Caches results by the JSON of the argument. */
function memoize<Argument extends Json, Value>(compute: (argument: Argument) => Value): (argument: Argument) => Value {
  const known = new Map<string, Value>()
  return (argument) => {
    const key = JSON.stringify(argument)
    if (!known.has(key)) known.set(key, compute(argument))
    return known.get(key) as Value
  }
}
