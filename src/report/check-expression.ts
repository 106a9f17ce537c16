import { findFunction } from '../functions/index.ts'
import { isObject, type Json, type JsonObject, type Path } from '../json.ts'
import { nearest } from '../nearest.ts'
import { asExpression } from '../language/expression.ts'
import { functionArguments } from '../functions/arguments.ts'
import { fromJson, isWrapper } from '../values/extended-json.ts'
import { checkAddress, measureIn } from './address.ts'
import { columnOf, isMeasure } from './columns.ts'
import { isFaultPart, isMemberPart, isStepPart, type RowPart, type TableRows } from './schema.ts'
import { type Shape } from './scope.ts'

export type ReportFault = {
  /** Where it stands in the report part. */
  readonly path: Path
  readonly reason: string
  /** The valid word that was most likely meant. */
  readonly nearest: string | null
}

/** What an expression may refer to at its place. */
export type ExpressionPlace = {
  readonly path: Path
  readonly shape: Shape
  readonly rows: TableRows
  /** What `@var` may read. */
  readonly names: readonly string[]
}

export const fault = (path: Path, reason: string, meant: string | null = null): readonly ReportFault[] => [
  { path, reason, nearest: meant },
]

const inside = (place: ExpressionPlace, ...steps: Path): ExpressionPlace => ({
  ...place,
  path: [...place.path, ...steps],
})

/** What is wrong with an expression of the report. Unknown words and parameters are found on the text of the spec. */
export function checkExpression(node: Json, place: ExpressionPlace): readonly ReportFault[] {
  if (Array.isArray(node))
    return (node as readonly Json[]).flatMap((item, index) => checkExpression(item, inside(place, index)))
  const expression = asExpression(node)
  if (expression) return checkCall(expression.keyword, expression.argument, place)
  if (!isObject(node)) return []
  if (isWrapper(node)) return checkWrapper(node, place.path)
  return Object.entries(node).flatMap(([key, item]) => checkExpression(item, inside(place, key)))
}

function checkWrapper(node: JsonObject, path: Path): readonly ReportFault[] {
  try {
    fromJson(node)
    return []
  } catch (error) {
    return fault(path, `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checkCall(word: string, argument: Json, place: ExpressionPlace): readonly ReportFault[] {
  const at = inside(place, word)
  switch (word) {
    case '@literal':
      return []
    case '@param':
      return typeof argument === 'string' ? [] : fault(place.path, '"@param" takes the name of a parameter')
    case '@var':
      return checkVariable(argument, place)
    case '@cond':
      return Array.isArray(argument) && argument.length === 3
        ? checkExpression(argument, at)
        : fault(place.path, '"@cond" takes a list of three: [if, then, else]')
    case '@map':
      return checkMap(argument, at)
    case '@metric':
      return checkMetric(argument, at)
    case '@cluster':
      return checkCluster(argument, at)
    default:
      return checkFunction(word, argument, place)
  }
}

function checkVariable(argument: Json, { path, names }: ExpressionPlace): readonly ReportFault[] {
  if (typeof argument !== 'string') return fault(path, '"@var" takes a name')
  const [name = ''] = argument.split('.')
  if (names.includes(name)) return []
  return fault(path, `nothing in "let" before here is called "${name}"`, nearest(name, names) ?? null)
}

function checkMap(argument: Json, place: ExpressionPlace): readonly ReportFault[] {
  const keys = isObject(argument) ? Object.keys(argument).toSorted().join() : ''
  if (!isObject(argument) || keys !== 'as,in,input' || typeof argument['as'] !== 'string')
    return fault(place.path.slice(0, -1), '"@map" takes {"input": a list, "as": a name, "in": an expression}')
  const { input = null, as, in: body = null } = argument
  return [
    ...checkExpression(input, inside(place, 'input')),
    ...checkExpression(body, { ...inside(place, 'in'), names: [...place.names, as] }),
  ]
}

function checkMetric(argument: Json, { path, shape, rows }: ExpressionPlace): readonly ReportFault[] {
  if (typeof argument === 'string') return checkMeasure(argument, path, shape, rows)
  const isPair =
    isObject(argument) &&
    typeof argument['of'] === 'string' &&
    isObject(argument['at']) &&
    Object.values(argument['at']).every((value) => ['string', 'number', 'boolean'].includes(typeof value)) &&
    Object.keys(argument).length === 2
  if (!isPair)
    return fault(path.slice(0, -1), '"@metric" takes an address, or {"of": an address, "at": values of parameters}')
  return checkMeasure(argument['of'] as string, [...path, 'of'], shape, rows)
}

/** An address of a table, an expression or a threshold: there is one value for each row. */
export function checkMeasure(address: string, path: Path, shape: Shape, rows: TableRows): readonly ReportFault[] {
  const found = checkAddress(address, shape, rows)
  if (found !== null) return fault(path, found.reason, found.nearest)
  const measure = measureIn(address)
  if (!isMeasure(measure) || !('perCall' in columnOf(measure))) return []
  return fault(path, `"${measure}" is of single calls, for line charts with "x": "operation"`)
}

/** A part of a row that is a member, a fault or a step, where rows may be none. */
export function rowPartFaults(path: Path, part: RowPart, rows: TableRows): readonly ReportFault[] {
  if (isMemberPart(part) && rows !== 'members')
    return fault(path, `"${part}" is told of rows that are members ("rows": "members"), and these are not`)
  if (isFaultPart(part) && rows !== 'faults')
    return fault(path, `"${part}" is told of rows that are faults ("rows": "faults"), and these are not`)
  if (isStepPart(part) && rows !== 'peakSteps')
    return fault(path, `"${part}" is told of rows that are steps of a search ("rows": "peakSteps"), and these are not`)
  return []
}

function checkCluster(argument: Json, place: ExpressionPlace): readonly ReportFault[] {
  const { of = null, names = null, ...others } = isObject(argument) ? argument : {}
  const areNames = Array.isArray(names) && names.length > 1 && names.every((name) => typeof name === 'string')
  if (of === null || !areNames || Object.keys(others).length > 0)
    return fault(
      place.path.slice(0, -1),
      '"@cluster" takes {"of": an expression, "names": a list of two texts or more}',
    )
  return checkExpression(of, { ...inside(place, 'of'), rows: 'variants' })
}

function checkFunction(word: string, argument: Json, place: ExpressionPlace): readonly ReportFault[] {
  const known = findFunction(word)
  if (known === undefined)
    return fault([...place.path, word], `"${word}" draws values, and a report is computed from what was measured`)
  const [least, most] = known.arity
  const { length } = functionArguments(known, argument)
  // A single expression may turn out to be the list of the arguments.
  const mayBeList = !Array.isArray(argument) && most > 1
  if (!mayBeList && (length < least || length > most)) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`
    return fault(place.path, `"${word}" takes ${wanted} argument${most === 1 ? '' : 's'}, not ${length}`)
  }
  return checkExpression(argument, inside(place, word))
}
