import { type Result } from '../../results/schema.ts'
import { parameterCell, parameterTitle, variedNames, varyingParameters } from '../../metrics/parameters.ts'
import { pivotNames } from '../../metrics/pivot.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type ColumnSpec, type PublishedSpec, type TableSpec } from '../../metrics/report-schema.ts'
import { plainText } from '../../spec/published/same-text.ts'

/** A parameter that identifies rows, with its heading. */
export type RowName = { readonly parameter: string; readonly title: string }

/** The parameters that identify rows: those of the report, and key columns of the published table with other names. */
export function rowNames({ rows: keys }: PublishedSpec, result: Result, spec: FullReportSpec): readonly RowName[] {
  const own = spec.tables.find(distinguishesRows)?.columns.flatMap(parameterIn) ?? varyingParameters(result)
  const known = new Set([...own, ...variedNames(result)])
  const shown = needed(
    [...known].filter((parameter) => differs(result, parameter)),
    result,
  )
  return [
    ...shown.map((parameter) => ({ parameter, title: parameterTitle(spec, parameter) })),
    ...keys
      .filter(({ parameter }) => !shown.includes(parameter))
      .map(({ parameter, column }) => ({ parameter, title: `Published ${plainText(column)}` })),
  ]
}

/** Whether every row of a table is one row of the result, and its parameters identify it. */
export const distinguishesRows = ({ rows, columns }: TableSpec): boolean =>
  rows === 'variants' && pivotNames(columns).length === 0 && columns.flatMap(parameterIn).length > 0

const parameterIn = (column: ColumnSpec): readonly string[] =>
  typeof column === 'object' && 'parameter' in column ? [column.parameter] : []

/** Whether a parameter differs between rows. A single row is identified by all its parameters. */
const differs = ({ variants }: Result, parameter: string): boolean =>
  variants.length < 2 || new Set(variants.map((variant) => parameterCell(variant, parameter))).size > 1

/** The first parameters that distinguish all rows: "16 clients" needs no additional 16. All, if they do not. */
function needed(parameters: readonly string[], { variants }: Result): readonly string[] {
  const rows = new Set(variants.map(({ row }) => row)).size
  const distinguished = (count: number): number =>
    new Set(
      variants.map((variant) =>
        parameters
          .slice(0, count)
          .map((name) => parameterCell(variant, name))
          .join('\n'),
      ),
    ).size
  const count = parameters.findIndex((_, index) => distinguished(index + 1) >= rows)
  return count < 0 ? parameters : parameters.slice(0, count + 1)
}
