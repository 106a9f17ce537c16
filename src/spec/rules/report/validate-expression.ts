import { isObject, type Json, type JsonObject, type Path } from '../../../core/json.ts'
import { check, type ValidationContext } from '../../../language/check.ts'
import { oneFinding, type Finding } from '../../../language/issues.ts'
import { type KeywordForm } from '../../../language/parse.ts'
import { columnNamed, validateAddress, metricIn } from '../../../metrics/address.ts'
import { type RowPart, type TableRows } from '../../../metrics/report-schema.ts'
import { isFaultPart, isMemberPart } from '../../../metrics/rows/row-parts.ts'
import { type Shape } from '../../../metrics/scope.ts'

/** Measurements available there. */
type Measured = { readonly shape: Shape; readonly rows: TableRows }

/** Names and measurements that an expression may refer to. */
export type ExpressionContext = Measured & {
  readonly path: Path
  /** Names that `@var` may read. */
  readonly names: readonly string[]
}

/** The issues of an expression of the report. Unknown parameters are found when the spec is folded. */
export function validateExpression(node: Json, { path, names, ...measured }: ExpressionContext): readonly Finding[] {
  const found: Finding[] = []
  const keywordForm: ValidationContext['keywordForm'] = (form, context) =>
    found.push(...validateKeyword(form, context, measured))
  check(node, { path, names, keywordForm, report: (finding) => void found.push(finding) })
  return found
}

function validateKeyword(
  { keyword, argument: { node } }: KeywordForm,
  context: ValidationContext,
  measured: Measured,
): readonly Finding[] {
  const at = { path: [...context.path, keyword], ...measured }
  switch (keyword) {
    case '@metric':
      return validateMetric(node, { ...at, names: context.names ?? [] })
    case '@ratio':
      return validateRatio(node, at)
    case '@cluster':
      return validateCluster(node, { ...at, names: context.names ?? [] })
    default:
      return oneFinding(at.path, `"${keyword}" draws values, and a report computes with measured ones`)
  }
}

function validateMetric(argument: Json, context: ExpressionContext): readonly Finding[] {
  const { path, shape, rows } = context
  if (typeof argument === 'string') return validateMetricAddress(argument, path, shape, rows)
  const { of, at, where = null, ...others }: JsonObject = isObject(argument) ? argument : {}
  const isPair = isSelection(at) ? where === null : at === undefined && where !== null
  if (typeof of !== 'string' || !isPair || Object.keys(others).length > 0)
    return oneFinding(
      path.slice(0, -1),
      '"@metric" takes an address, {"of": an address, "at": values of parameters}, or {"of": an address, "where": a condition for rows}',
    )
  return [
    ...validateMetricAddress(of, [...path, 'of'], shape, rows),
    ...validateExpression(where, { ...context, path: [...path, 'where'] }),
  ]
}

const isSelection = (at: Json | undefined): boolean =>
  isObject(at) && Object.values(at).every((value) => ['string', 'number', 'boolean'].includes(typeof value))

function validateRatio(argument: Json, { path, shape, rows }: Omit<ExpressionContext, 'names'>): readonly Finding[] {
  const outer = path.slice(0, -1)
  // All ratios are judged together, so they have to be known before the first row is shown.
  if (path[0] !== 'let') return oneFinding(outer, '"@ratio" belongs in "let" of the report: read it with "@var"')
  const { of, at, to, noun = '', ...others }: JsonObject = isObject(argument) ? argument : {}
  const areTexts = typeof of === 'string' && typeof noun === 'string'
  if (!areTexts || ![at, to].every(isSelection) || Object.keys(others).length > 0)
    return oneFinding(
      outer,
      '"@ratio" takes {"of": an address, "at": values of parameters, "to": values for the row to divide by, "noun": optionally a name for the metric}',
    )
  const metric = metricIn(of)
  const column = columnNamed(metric, shape)
  if (column !== undefined && !('value' in column) && !('perCall' in column))
    return oneFinding([...path, 'of'], `"${metric}" has no value for each run, so it has no ratio by rounds`)
  return validateMetricAddress(of, [...path, 'of'], shape, rows)
}

/** The issues of an address in a table, an expression or a threshold, which must have one value for each row. */
export function validateMetricAddress(address: string, path: Path, shape: Shape, rows: TableRows): readonly Finding[] {
  const found = validateAddress(address, shape, rows)
  if (found !== null) return oneFinding(path, found.reason, found.nearest)
  const metric = metricIn(address)
  const column = columnNamed(metric, shape)
  if (column === undefined || !('perCall' in column)) return []
  return oneFinding(path, `"${metric}" has one value per operation: use it in line charts with "x": "operation"`)
}

/** Issues of a part that only rows of members, faults or windows have. */
export function rowPartIssues(path: Path, part: RowPart, rows: TableRows): readonly Finding[] {
  const needed = partsOfRows.find(({ isPart }) => isPart(part))
  return needed === undefined || needed.rows === rows
    ? []
    : oneFinding(path, `"${part}" needs rows that are ${needed.noun} ("rows": "${needed.rows}")`)
}

const partsOfRows = [
  { isPart: isMemberPart, rows: 'members', noun: 'members' },
  { isPart: isFaultPart, rows: 'faults', noun: 'faults' },
  { isPart: (part: string) => part === 'window', rows: 'windows', noun: 'windows of a phase' },
] as const

function validateCluster(argument: Json, context: ExpressionContext): readonly Finding[] {
  const { of = null, names = null, ...others } = isObject(argument) ? argument : {}
  const areNames = Array.isArray(names) && names.length > 1 && names.every((name) => typeof name === 'string')
  if (of === null || !areNames || Object.keys(others).length > 0)
    return oneFinding(
      context.path.slice(0, -1),
      '"@cluster" takes {"of": an expression, "names": a list of at least two strings}',
    )
  return validateExpression(of, { ...context, path: [...context.path, 'of'], rows: 'variants' })
}
