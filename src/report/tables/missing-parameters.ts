import { type Json } from '../../core/json.ts'
import { expressionsIn, nameRead, isReportKeyword } from '../../language/expression.ts'
import { type ColumnSpec, type RowPart, type TableSpec, type FullReportSpec } from '../../metrics/report-schema.ts'
import { labelName, parameterCell, variedNames, varyingParameters } from '../../metrics/rows/parameters.ts'
import { type Cell } from '../../metrics/rows/rows.ts'
import { type Group, groupCell, pivotNames } from '../../metrics/rows/siblings.ts'
import { type Result } from '../../results/schema.ts'

/** Parts of a row that were observed, and may differ at random. */
const observed: ReadonlySet<RowPart> = new Set(['role', 'targets', 'primary', 'term', 'errorLabels'])
/** Parts that name a row, which other tables describe under that name. */
const pointers: ReadonlySet<RowPart> = new Set(['letter', 'number'])

type Lets = readonly (readonly [name: string, value: Json])[]

/**
 * Varying parameters without a column that are needed to distinguish the rows of a table. Each gets a column.
 * @param cellOf The cell of a column in a row of the table.
 */
export function missingParameters(
  result: Result,
  spec: FullReportSpec,
  table: TableSpec,
  groups: readonly Group[],
  cellOf: (column: ColumnSpec, group: Group) => Cell,
): readonly string[] {
  if (table.rows === 'once' || groups.length < 2) return []
  const lets = Object.entries(spec.let ?? {})
  const columns = [table, ...tablesPointedTo(spec, table)].flatMap((one) => one.columns)
  const identifying = columns.filter((column) => isIdentifying(column, lets))
  const keys = groups.map((group) => JSON.stringify(identifying.map((column) => cellOf(column, group))))
  return distinguishingNames(result, groups, keys)
}

/** The parameters that are needed in addition to the identifying columns. */
function distinguishingNames(result: Result, groups: readonly Group[], known: readonly string[]): readonly string[] {
  const chosen: string[] = []
  let keys = known
  for (const name of candidates(result)) {
    const cells = groups.map((group) => groupCell(group, undefined, ({ variant }) => parameterCell(variant, name)))
    const finer = keys.map((key, index) => JSON.stringify([key, cells[index]]))
    if (new Set(finer).size <= new Set(keys).size) continue
    chosen.push(name)
    keys = finer
  }
  return chosen
}

/** Parameters in the order of their columns: the label, if it identifies the variants, then all varied parameters. */
const candidates = (result: Result): readonly string[] => {
  const names = variedNames(result)
  const byLabel = varyingParameters(result).includes(labelName)
  return byLabel ? [labelName, ...names] : names
}

/** Whether a column identifies rows. Measured values do not: they always differ. */
function isIdentifying(column: ColumnSpec, lets: Lets): boolean {
  if (typeof column === 'string' || 'metric' in column) return false
  if ('value' in column) return !readsMeasured(column.value, lets)
  return !('row' in column) || !(observed.has(column.row) || pointers.has(column.row))
}

function readsMeasured(node: Json, lets: Lets): boolean {
  return expressionsIn(node).some(({ keyword, argument }) => {
    if (isReportKeyword(keyword)) return true
    const index = keyword === '@var' ? lets.findIndex(([name]) => name === nameRead(argument)) : -1
    // A value of `let` can read earlier ones.
    return index >= 0 && readsMeasured(lets[index]?.[1] ?? null, lets.slice(0, index))
  })
}

const pointersIn = ({ columns }: TableSpec): readonly RowPart[] =>
  columns.flatMap((column) =>
    typeof column === 'object' && 'row' in column && pointers.has(column.row) ? [column.row] : [],
  )

/** Other tables that describe the rows with the letters or numbers of this one. */
function tablesPointedTo({ tables }: FullReportSpec, table: TableSpec): readonly TableSpec[] {
  const own = pointersIn(table)
  const merged = String(pivotNames(table.columns))
  return tables.filter(
    (other) =>
      other !== table &&
      String(pivotNames(other.columns)) === merged &&
      pointersIn(other).some((pointer) => own.includes(pointer)),
  )
}
