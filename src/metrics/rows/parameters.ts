import { Problem } from '../../core/errors.ts'
import { isObject, type Json, type Path } from '../../core/json.ts'
import { nearest } from '../../core/nearest.ts'
import { jsonMember } from '../../language/interpret.ts'
import { type Finding } from '../../language/issues.ts'
import { fromJson } from '../../language/values/extended-json.ts'
import { type Result, type VariantResult } from '../../results/schema.ts'
import { type TableSpec } from '../report-schema.ts'
import { type Cell } from './rows.ts'

/** The parameter name that refers to the label of a row. */
export const labelName = 'label'

/** Anything with parameters and a label, such as a row of a result. */
export type Named = Pick<VariantResult, 'parameters' | 'label'>

/** The label of a parameter, else its value. Null if the row has no such parameter. */
export function parameterCell(variant: Named, name: string): Cell {
  const parameter = variant.parameters[name]
  if (parameter !== undefined) return parameter.label ?? plainCell(parameter.value)
  return plainCell(parameterValue(variant, name))
}

/** The value of a parameter by its name or a dotted path into it, or the label of the row. */
export function parameterValue(row: Named, name: string): Json | undefined {
  const parameter = row.parameters[name]
  if (parameter !== undefined) return parameter.value
  return name === labelName ? row.label : valueAt(row, name)
}

/**
 * Identifies the choice of a row for a parameter: its position in the list of variants if known, because a value may depend
 * on other parameters. Otherwise value and label, because neither is unique alone.
 */
export function identifyChoice({ parameters }: Pick<VariantResult, 'parameters'>, name: string): string {
  const { choice, ...rest } = parameters[name] ?? {}
  return choice === undefined ? JSON.stringify(rest) : `choice ${choice}`
}

/** A JSON value as expressions use it. Invalid Extended JSON stays as it is. */
export function readValue(value: Json | undefined): unknown {
  try {
    return fromJson(value ?? null)
  } catch {
    return value
  }
}

/** A JSON value as a cell: objects as JSON text. */
export function plainCell(value: Json | undefined): Cell {
  if (value === undefined || value === null) return null
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}

/** Follows a dotted path such as "disk.iops" into a parameter. */
function valueAt(variant: Named, path: string): Json | undefined {
  const [first = '', ...rest] = path.split('.')
  return rest.reduce(jsonMember, variant.parameters[first]?.value)
}

export const parameterNames = ({ variants }: Pick<Result, 'variants'>): readonly string[] => [
  ...new Set(variants.flatMap(({ parameters }) => Object.keys(parameters))),
]

/**
 * Rejects a parameter that no row has, whose column would be empty.
 * @throws {Problem} "spec-invalid".
 */
export function requireParameter(result: Result, name: string): void {
  const [first = ''] = name.split('.')
  const known = [...parameterNames(result), labelName]
  if (result.variants.length === 0 || known.includes(name) || known.includes(first)) return
  const meant = nearest(name, known)
  throw new Problem('spec-invalid', `The report names a parameter "${name}", which the spec does not have`, {
    hint: meant === undefined ? `The parameters are ${known.join(', ')}.` : `Did you mean "${meant}"?`,
  })
}

export function parameterIssues(path: Path, name: string, parameters: readonly string[]): readonly Finding[] {
  const known = [...parameters, labelName]
  if (known.includes(name) || known.includes(name.split('.')[0] ?? '')) return []
  return [{ path, reason: `there is no parameter "${name}"`, nearest: nearest(name, known) ?? null }]
}

/**
 * The parameters that distinguish the rows, in the order of the spec. If several vary together instead of being crossed (a
 * list of variants), the label distinguishes them.
 */
export function varyingParameters(result: Result): readonly string[] {
  const rows = new Set(result.variants.map(({ row }) => row)).size
  const crossed = crossedNames(result)
  const counts = new Map<string, number>()
  for (const name of parameterNames(result)) {
    const values = new Set(result.variants.map((variant) => identifyChoice(variant, name)))
    if (values.size > 1) counts.set(name, values.size)
  }
  // --only may have removed a part of crossed lists, so their names are kept anyway.
  if (crossed !== null) return crossed.filter((name) => counts.has(name))
  const names = [...counts.keys()]
  const product = [...counts.values()].reduce((total, count) => total * count, 1)
  if (names.length <= 1 || product === rows) return names
  return [labelName]
}

/** The parameters that the variants of the spec name; for older results, those with several values. */
export function variedNames(result: Result): readonly string[] {
  if (result.spec.varied.length > 0) return result.spec.varied
  const values = (name: string): number =>
    new Set(result.variants.map(({ parameters }) => JSON.stringify(parameters[name]))).size
  return crossedNames(result) ?? parameterNames(result).filter((name) => values(name) > 1)
}

/** The names of crossed lists of variants. Computed parameters may vary with them and are not included. */
function crossedNames({ spec }: Result): readonly string[] | null {
  const variants = isObject(spec.effective) ? spec.effective['variants'] : undefined
  if (!isObject(variants)) return null
  const names = Object.keys(variants)
  return names.some((name) => name.startsWith('@')) ? null : names
}

/** The title of a parameter: the heading of its column, else its name. */
export function parameterTitle({ tables }: { readonly tables: readonly TableSpec[] }, name: string): string {
  const columns = tables.flatMap((table) => table.columns)
  const titled = columns.find(
    (column) =>
      typeof column === 'object' && 'parameter' in column && column.parameter === name && Boolean(column.title),
  )
  if (typeof titled === 'object' && titled.title !== undefined) return titled.title
  return name === labelName ? 'Variant' : name
}
