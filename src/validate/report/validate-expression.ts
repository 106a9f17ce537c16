import { findFunction } from '../../functions/index.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../json.ts'
import { nearest } from '../../nearest.ts'
import { asExpression } from '../../language/expression.ts'
import { issue, type ReportIssue } from '../../language/report-issues.ts'
import { functionArguments } from '../../functions/arguments.ts'
import { fromJson, isWrapper } from '../../values/extended-json.ts'
import { columnNamed, validateAddress, measureIn } from '../../metrics/address.ts'
import { isFaultPart, isMemberPart, isStepPart } from '../../metrics/row-parts.ts'
import { type RowPart, type TableRows } from '../../schema/report-schema.ts'
import { type Shape } from '../../metrics/scope.ts'

/** What an expression may refer to. */
export type ExpressionPlace = {
  readonly path: Path
  readonly shape: Shape
  readonly rows: TableRows
  /** Names that `@var` may read. */
  readonly names: readonly string[]
}

const inside = (place: ExpressionPlace, ...steps: Path): ExpressionPlace => ({
  ...place,
  path: [...place.path, ...steps],
})

/** The issues of an expression of the report. Unknown keywords and parameters are found when the spec is folded. */
export function validateExpression(node: Json, place: ExpressionPlace): readonly ReportIssue[] {
  if (Array.isArray(node))
    return (node as readonly Json[]).flatMap((item, index) => validateExpression(item, inside(place, index)))
  const expression = asExpression(node)
  if (expression) return validateKeyword(expression.keyword, expression.argument, place)
  if (!isObject(node)) return []
  if (isWrapper(node)) return validateWrapper(node, place.path)
  return Object.entries(node).flatMap(([key, item]) => validateExpression(item, inside(place, key)))
}

function validateWrapper(node: JsonObject, path: Path): readonly ReportIssue[] {
  try {
    fromJson(node)
    return []
  } catch (error) {
    return issue(path, `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function validateKeyword(keyword: string, argument: Json, place: ExpressionPlace): readonly ReportIssue[] {
  const at = inside(place, keyword)
  switch (keyword) {
    case '@literal':
      return []
    case '@param':
      return typeof argument === 'string' ? [] : issue(place.path, '"@param" takes the name of a parameter')
    case '@var':
      return validateVariable(argument, place)
    case '@cond':
      return Array.isArray(argument) && argument.length === 3
        ? validateExpression(argument, at)
        : issue(place.path, '"@cond" takes a list of three: [if, then, else]')
    case '@map':
      return validateMap(argument, at)
    case '@metric':
      return validateMetric(argument, at)
    case '@ratio':
      return validateRatio(argument, at)
    case '@cluster':
      return validateCluster(argument, at)
    default:
      return validateFunction(keyword, argument, place)
  }
}

function validateVariable(argument: Json, { path, names }: ExpressionPlace): readonly ReportIssue[] {
  if (typeof argument !== 'string') return issue(path, '"@var" takes a name')
  const [name = ''] = argument.split('.')
  if (names.includes(name)) return []
  return issue(path, `no earlier value of "let" has the name "${name}"`, nearest(name, names) ?? null)
}

function validateMap(argument: Json, place: ExpressionPlace): readonly ReportIssue[] {
  const keys = isObject(argument) ? Object.keys(argument).toSorted().join() : ''
  if (!isObject(argument) || keys !== 'as,in,input' || typeof argument['as'] !== 'string')
    return issue(place.path.slice(0, -1), '"@map" takes {"input": a list, "as": a name, "in": an expression}')
  const { input = null, as, in: body = null } = argument
  return [
    ...validateExpression(input, inside(place, 'input')),
    ...validateExpression(body, { ...inside(place, 'in'), names: [...place.names, as] }),
  ]
}

function validateMetric(argument: Json, { path, shape, rows }: ExpressionPlace): readonly ReportIssue[] {
  if (typeof argument === 'string') return validateMeasure(argument, path, shape, rows)
  const isPair =
    isObject(argument) &&
    typeof argument['of'] === 'string' &&
    isSelection(argument['at']) &&
    Object.keys(argument).length === 2
  if (!isPair)
    return issue(path.slice(0, -1), '"@metric" takes an address, or {"of": an address, "at": values of parameters}')
  return validateMeasure(argument['of'] as string, [...path, 'of'], shape, rows)
}

const isSelection = (at: Json | undefined): boolean =>
  isObject(at) && Object.values(at).every((value) => ['string', 'number', 'boolean'].includes(typeof value))

const keysOfRatio: ReadonlySet<string> = new Set(['of', 'at', 'to', 'noun'])

function validateRatio(argument: Json, { path, shape, rows }: ExpressionPlace): readonly ReportIssue[] {
  const outer = path.slice(0, -1)
  // All ratios are judged together, so they have to be known before the first row is shown.
  if (path[0] !== 'let') return issue(outer, '"@ratio" stands in "let" of the report: read it with "@var"')
  const { of, at, to, noun = '' }: JsonObject = isObject(argument) ? argument : {}
  const isComplete =
    typeof of === 'string' &&
    isSelection(at) &&
    isSelection(to) &&
    typeof noun === 'string' &&
    Object.keys(argument as JsonObject).every((key) => keysOfRatio.has(key))
  if (!isComplete)
    return issue(
      outer,
      '"@ratio" takes {"of": an address, "at": values of parameters, "to": those of the row to divide by, "noun": optionally a name for the measure}',
    )
  const measure = measureIn(of)
  const column = columnNamed(measure, shape)
  if (column !== undefined && !('value' in column) && !('perCall' in column))
    return issue([...path, 'of'], `"${measure}" has no value for each run, so it has no ratio by rounds`)
  return validateMeasure(of, [...path, 'of'], shape, rows)
}

/** The issues of an address in a table, an expression or a threshold, which must have one value for each row. */
export function validateMeasure(address: string, path: Path, shape: Shape, rows: TableRows): readonly ReportIssue[] {
  const found = validateAddress(address, shape, rows)
  if (found !== null) return issue(path, found.reason, found.nearest)
  const measure = measureIn(address)
  const column = columnNamed(measure, shape)
  if (column === undefined || !('perCall' in column)) return []
  return issue(path, `"${measure}" has values per operation, for line charts with "x": "operation"`)
}

/** Issues of a part that only rows of members, faults or steps have. */
export function rowPartIssues(path: Path, part: RowPart, rows: TableRows): readonly ReportIssue[] {
  if (isMemberPart(part) && rows !== 'members')
    return issue(path, `"${part}" needs rows that are members ("rows": "members")`)
  if (isFaultPart(part) && rows !== 'faults')
    return issue(path, `"${part}" needs rows that are faults ("rows": "faults")`)
  if (isStepPart(part) && rows !== 'peakSteps')
    return issue(path, `"${part}" needs rows that are steps of a search ("rows": "peakSteps")`)
  return []
}

function validateCluster(argument: Json, place: ExpressionPlace): readonly ReportIssue[] {
  const { of = null, names = null, ...others } = isObject(argument) ? argument : {}
  const areNames = Array.isArray(names) && names.length > 1 && names.every((name) => typeof name === 'string')
  if (of === null || !areNames || Object.keys(others).length > 0)
    return issue(
      place.path.slice(0, -1),
      '"@cluster" takes {"of": an expression, "names": a list of at least two strings}',
    )
  return validateExpression(of, { ...inside(place, 'of'), rows: 'variants' })
}

function validateFunction(keyword: string, argument: Json, place: ExpressionPlace): readonly ReportIssue[] {
  const known = findFunction(keyword)
  if (known === undefined)
    return issue([...place.path, keyword], `"${keyword}" draws values, and a report computes with measured ones`)
  const [min, max] = known.arity
  const { length } = functionArguments(known, argument)
  // A single expression may evaluate to the list of arguments.
  const mayBeList = !Array.isArray(argument) && max > 1
  if (!mayBeList && (length < min || length > max)) {
    const wanted = min === max ? `${min}` : `${min} to ${max}`
    return issue(place.path, `"${keyword}" takes ${wanted} argument${max === 1 ? '' : 's'}, not ${length}`)
  }
  return validateExpression(argument, inside(place, keyword))
}
