import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { asExpression } from '../language/expression.ts'
import { isTrue } from '../language/functions/comparison.ts'
import { interpret, type Interpretation, createFunction, valueAt } from '../language/interpret.ts'
import { type Call } from '../language/parse.ts'
import { isNumber, toNumber } from '../language/values/bson-types.ts'
import { toJson } from '../language/values/extended-json.ts'
import { type Result } from '../results/schema.ts'
import { type Address, parseAddress } from './address.ts'
import { rangeOfRuns, type RunRange } from './format.ts'
import { judgeRatios, type RatioSpec } from './ratios.ts'
import { type FullReportSpec, type TableRows } from './report-schema.ts'
import { parameterValue, readValue, variedNames } from './rows/parameters.ts'
import { type Cell, listRows, listRunValues, measuredCell, type Row } from './rows/rows.ts'
import { type At, findSibling } from './rows/siblings.ts'
import { describeShape, type Shape } from './scope.ts'
import { judgeFigure, type Trust, whyNotCompared } from './trust/judge.ts'

/** A result with the report part that shows it. Each figure is computed once, whatever shows it. */
export type Evaluation = {
  readonly result: Result
  readonly spec: FullReportSpec
  readonly shape: Shape
  /** The rows of a kind: the same objects each time. */
  readonly rows: (kind: TableRows) => readonly Row[]
  readonly figure: (row: Row, address: Address) => Figure
  readonly value: (expression: Json, row: Row) => unknown
  /** Whether a row matches a `where`; undefined matches all. */
  readonly holds: (where: Json | undefined, row: Row) => boolean
  /** A value of the report's `let`. Null if it differs between rows or is unknown. */
  readonly shared: (name: string) => unknown
}

/** A metric in a row: what a cell, a point or a bar shows. */
export type Figure = {
  readonly cell: Cell
  /** The values of its runs. Empty for metrics that are not computed by run. */
  readonly runs: readonly number[]
  /** How far the runs lie apart. Null: there are not several. */
  readonly range: RunRange | null
  readonly trust: Trust
}

/** A row, and the variables that `@var` can read. */
type EvaluationContext = {
  readonly row: Row
  /** Number of values of the report's `let` that are visible. */
  readonly lets: number
  readonly locals: ReadonlyMap<string, unknown>
}

const noLocals: EvaluationContext['locals'] = new Map()

/** Evaluates a result for a report part. Values of `let` are those of the variant, whatever the table or chart shows. */
export function evaluateResult(result: Result, spec: FullReportSpec): Evaluation {
  const shape = describeShape(result)
  const varied = variedNames(result)
  const lets = Object.entries(spec.let ?? {})
  const rows = memoize((kind: TableRows) => listRows(result, kind))
  const variantRows = rows('variants')
  const ratios = judgeRatios(lets, { shape, rows: variantRows, varied, whyNot: whyNotCompared })
  const figure = createFigures()
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

  const evaluating: Interpretation<EvaluationContext, unknown> = {
    inside: (at) => at,
    part: evaluate,
    constant: readValue,
    literal: readValue,
    list: (items) => items,
    document: (values, { fields }) => Object.fromEntries(fields.map(({ path }, i) => [path[0], values[i]])),
    parameter: ({ name, steps }, { row }) => readValue(parameterValue(row.variant, [name, ...steps].join('.'))),
    variable({ name, steps }, { row, lets: visible, locals }) {
      const index = lets.findIndex(([known], position) => known === name && position < visible)
      const start = locals.has(name) || index < 0 ? locals.get(name) : letOf([index, row.variant.row])
      return valueAt(start, steps)
    },
    condition: (test, ifTrue, ifFalse) => (isTrue(test) ? ifTrue() : ifFalse()),
    map: (items, { as }, body, at) =>
      Array.isArray(items)
        ? items.map((item: unknown) => body({ ...at, locals: new Map([...at.locals, [as, item]]) }))
        : null,
    call: (values, form, { row }) =>
      byLabelToo.has(form.called.keyword) && form.args.length === 2
        ? compareByLabelToo(form, values, row)
        : createFunction(form)(values),
    keyword: ({ keyword, argument: { node } }, at) => measured(keyword, node, at),
    malformed: () => null,
  }

  function evaluate(node: Json, at: EvaluationContext): unknown {
    return interpret(node, at, evaluating)
  }

  function measured(keyword: string, argument: Json, { row, lets: visible }: EvaluationContext): unknown {
    switch (keyword) {
      case '@metric':
        return metric(isObject(argument) ? argument : { of: argument }, { row, lets: visible, locals: noLocals })
      case '@ratio':
        return ratios(argument as unknown as RatioSpec, row)
      case '@cluster':
        return groupsOf({ cluster: argument as JsonObject, lets: visible }).get(row.variant.row) ?? null
      default:
        return null
    }
  }

  function metric({ of, at = {}, where }: JsonObject, { row, ...context }: EvaluationContext): Cell | readonly Cell[] {
    const siblings = rows(row.kind === 'once' ? 'variants' : row.kind)
    const cellOf = (one: Row): Cell => figure(one, parseAddress(String(of), shape, row.kind)).cell
    if (where !== undefined)
      return siblings.filter((one) => isTrue(evaluate(where, { ...context, row: one }))).map(cellOf)
    const sibling = findSibling(row, at as At, siblings, varied)
    return sibling === null ? null : cellOf(sibling)
  }

  const value: Evaluation['value'] = (expression, row) =>
    evaluate(expression, { row, lets: lets.length, locals: noLocals })
  return {
    result,
    spec,
    shape,
    rows,
    figure,
    value,
    holds: (where, row) => where === undefined || isTrue(value(where, row)),
    shared(name) {
      const values = variantRows.map((row) => value({ '@var': name }, row))
      return new Set(values.map((each) => JSON.stringify(toJson(each)))).size === 1 ? values[0] : null
    },
  }
}

/** Computes figures when they are first asked for. */
function createFigures(): Evaluation['figure'] {
  const known = new WeakMap<Row, Map<string, Figure>>()
  return (row, address) => {
    const ofRow = known.get(row) ?? new Map<string, Figure>()
    known.set(row, ofRow)
    const key = JSON.stringify([address.metric, address.target])
    const figure = ofRow.get(key) ?? computeFigureIn(row, address)
    ofRow.set(key, figure)
    return figure
  }
}

function computeFigureIn(row: Row, address: Address): Figure {
  const runs = listRunValues(row, address)
  return { cell: measuredCell(row, address), runs, range: rangeOfRuns(runs), trust: judgeFigure(row, address) }
}

const byLabelToo: ReadonlySet<string> = new Set(['@eq', '@ne', '@in'])

/** In comparisons, a labelled parameter equals its label and its value: "SAFE" and {"w": 1}. */
function compareByLabelToo({ called, args }: Call, values: readonly unknown[], row: Row): boolean | null {
  const [firsts = [], seconds = []] = args.map(({ node }, i) => [values[i], ...findParameterLabel(node, row)])
  const results = firsts.flatMap((first) => seconds.map((second) => called.apply([first, second])))
  // As in specs, where the second argument of `@in` is no list.
  if (results.every((result) => result === null)) return null
  return called.keyword === '@ne' ? results.every(isTrue) : results.some(isTrue)
}

function findParameterLabel(node: Json, { variant }: Row): readonly string[] {
  const expression = asExpression(node)
  const label = expression?.keyword === '@param' ? variant.parameters[String(expression.argument)]?.label : undefined
  return label === undefined ? [] : [label]
}

/** The value of an expression as a cell of a table. */
export function toCell(value: unknown): Cell {
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

/** Ratio of the larger to the smaller of two neighbours; infinite if the smaller is 0 or negative. */
const computeRatio = (smaller: number, larger: number): number =>
  larger === smaller ? 1 : smaller > 0 ? larger / smaller : Infinity

/**
 * Splits sorted values at the largest ratios between neighbours, into one group for each name. Equal values stay together,
 * so there may be fewer groups. The name of a missing value is null.
 */
export function clusterNames(values: readonly (number | null)[], names: readonly string[]): readonly (string | null)[] {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const cuts = sorted
    .slice(1)
    .map((value, index) => ({ value, ratio: computeRatio(sorted[index] ?? value, value) }))
    .filter(({ ratio }) => ratio > 1)
    .toSorted((a, b) => b.ratio - a.ratio)
    .slice(0, Math.max(0, names.length - 1))
    .map(({ value }) => value)
  return values.map((value) =>
    value === null ? null : (names[cuts.filter((firstOfGroup) => value >= firstOfGroup).length] ?? null),
  )
}
