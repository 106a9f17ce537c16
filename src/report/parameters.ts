import { Problem } from '../errors.ts'
import { isObject, type Json, type Path } from '../json.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { nearest } from '../nearest.ts'
import { fromJson } from '../values/extended-json.ts'
import { type ReportIssue } from './validate-expression.ts'
import { type Cell } from './rows.ts'
import { type FullReportSpec } from './report-spec.ts'

/** The name by which a row's own label is read. */
export const labelName = 'label'

/** The parameter that tells the servers apart which the command line names: every row of the spec runs on each. */
export const serverName = 'server'

/** Whatever has parameters and a label: a row of a result. */
export type Named = Pick<VariantResult, 'parameters' | 'label'>

/** The label of a parameter, or else its value. Null when the row has no such parameter. */
export function parameterCell(variant: Named, name: string): Cell {
  const parameter = variant.parameters[name]
  if (parameter !== undefined) return parameter.label ?? plainCell(parameter.value)
  return plainCell(parameterValue(variant, name))
}

/** What varies and is not in the label that the spec gives a row: the servers of the command line. */
export function namesBesideLabel({ parameters, label }: Named): readonly string[] {
  const own = parameters[labelName]?.value ?? label
  return own === label ? [] : [serverName]
}

/** The value of a parameter by its name or by a dotted path into it, or the label of the row. */
export function parameterValue(row: Named, name: string): Json | undefined {
  const parameter = row.parameters[name]
  if (parameter !== undefined) return parameter.value
  return name === labelName ? row.label : valueAt(row, name)
}

/**
 * What a row chose for a parameter, to be told from what others chose. The choice itself where it is known: a value that
 * uses other parameters differs with them. Without it value and label, for two values may share a label and two labels a value.
 */
export function choiceOf({ parameters }: Pick<VariantResult, 'parameters'>, name: string): string {
  const { choice, ...rest } = parameters[name] ?? {}
  return choice === undefined ? JSON.stringify(rest) : `choice ${choice}`
}

/** A value of JSON as expressions compute with it. What only looks like Extended JSON stays what it is. */
export function readValue(value: Json | undefined): unknown {
  try {
    return fromJson(value ?? null)
  } catch {
    return value
  }
}

/** A cell for a chart, where an empty label would leave a gap: the value itself then. */
export function displayCell(variant: VariantResult, name: string): Cell {
  const parameter = variant.parameters[name]
  return parameter?.label === '' ? plainCell(parameter.value) : parameterCell(variant, name)
}

/** Words that answer a question nobody has heard. */
const answers: ReadonlySet<Cell> = new Set(['', 'true', 'false', 'Yes', 'No'])

/** With the name of the parameter where its value alone says nothing: "true", "No" or "4" in a legend. */
export function parameterText(variant: VariantResult, name: string, title: string): string {
  const cell = displayCell(variant, name)
  const isSelfExplanatory = typeof cell === 'string' && !answers.has(cell)
  return isSelfExplanatory ? cell : `${title}: ${cell ?? 'none'}`
}

/** Numbers, text and booleans as they are read; whole objects as JSON. */
export function plainCell(value: Json | undefined): Cell {
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}

/** Follows a dotted path such as "disk.iops" into a parameter that is an object. */
function valueAt(variant: Named, path: string): Json | undefined {
  const [first = '', ...rest] = path.split('.')
  return rest.reduce<Json | undefined>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    variant.parameters[first]?.value,
  )
}

/** The parameters that any row has. */
export const parameterNames = ({ variants }: Pick<Result, 'variants'>): readonly string[] => [
  ...new Set(variants.flatMap(({ parameters }) => Object.keys(parameters))),
]

/** Refuses the name of a parameter that no row has: the column would be empty for ever. */
export function requireParameter(result: Result, name: string): void {
  const [first = ''] = name.split('.')
  const known = [...parameterNames(result), labelName]
  if (result.variants.length === 0 || known.includes(name) || known.includes(first)) return
  const meant = nearest(name, known)
  throw new Problem('spec-invalid', `The report names a parameter "${name}", which the spec does not have`, {
    hint: meant === undefined ? `The parameters are ${known.join(', ')}.` : `Did you mean "${meant}"?`,
  })
}

/** The same of a spec whose parameters are known by their names alone. */
export function parameterIssues(path: Path, name: string, parameters: readonly string[]): readonly ReportIssue[] {
  const known = [...parameters, labelName]
  if (known.includes(name) || known.includes(name.split('.')[0] ?? '')) return []
  return [{ path, reason: `there is no parameter "${name}"`, nearest: nearest(name, known) ?? null }]
}

/**
 * The parameters that tell the rows apart, in the order of the spec. Where several vary together instead of crossing
 * each other (a list of rows), the label of the row does.
 */
export function varyingParameters(result: Result): readonly string[] {
  const rows = new Set(result.variants.map(({ row }) => row)).size
  const crossed = crossedNames(result)
  const counts = new Map<string, number>()
  for (const name of parameterNames(result)) {
    const values = new Set(result.variants.map((variant) => choiceOf(variant, name)))
    if (values.size > 1) counts.set(name, values.size)
  }
  // Of crossed lists a part may be left, and each name still says something of its own.
  if (crossed !== null) return crossed.filter((name) => counts.has(name))
  const names = [...counts.keys()]
  const product = [...counts.values()].reduce((total, count) => total * count, 1)
  if (names.length <= 1 || product === rows) return names
  return [...new Set([...result.variants.flatMap(namesBesideLabel), labelName])]
}

/** The parameters that the variants of the spec name. Results of older versions tell it by the values. */
export function variedNames(result: Result): readonly string[] {
  if (result.spec.varied.length > 0) return result.spec.varied
  const values = (name: string): number =>
    new Set(result.variants.map(({ parameters }) => JSON.stringify(parameters[name]))).size
  return crossedNames(result) ?? parameterNames(result).filter((name) => values(name) > 1)
}

/** The names in an object of lists; other parameters may vary with them because they are computed from them. */
function crossedNames({ spec }: Result): readonly string[] | null {
  const variants = isObject(spec.effective) ? spec.effective['variants'] : undefined
  if (!isObject(variants)) return null
  const names = Object.keys(variants)
  return names.some((name) => name.startsWith('@')) ? null : names
}

/** What the report calls a parameter: the heading of its column, else its name. */
export function parameterTitle({ tables }: FullReportSpec, name: string): string {
  const columns = tables.flatMap((table) => table.columns)
  const titled = columns.find(
    (column) =>
      typeof column === 'object' && 'parameter' in column && column.parameter === name && Boolean(column.title),
  )
  if (typeof titled === 'object' && titled.title !== undefined) return titled.title
  return name === labelName ? 'Variant' : name
}
