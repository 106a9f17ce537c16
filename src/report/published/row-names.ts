import { type Result } from '../../results/schema.ts'
import { parameterCell, parameterTitle, variedNames, varyingParameters } from '../parameters.ts'
import { pivotNames } from '../pivot.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type ColumnSpec, type PublishedSpec, type TableSpec } from '../schema.ts'
import { plainText } from './same-text.ts'

export type RowName = { readonly parameter: string; readonly title: string }

/** What tells rows apart: what the report does, and where rows are published under another name, that beside it. */
export function rowNames({ rows: keys }: PublishedSpec, result: Result, spec: FullReportSpec): readonly RowName[] {
  const told = spec.tables.find(distinguishesRows)?.columns.flatMap(parameterIn) ?? varyingParameters(result)
  const known = new Set([...told, ...variedNames(result)])
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

/** Whether each of its rows is one row of the result, and says which. */
export const distinguishesRows = ({ rows, columns }: TableSpec): boolean =>
  rows === 'variants' && pivotNames(columns).length === 0 && columns.flatMap(parameterIn).length > 0

const parameterIn = (column: ColumnSpec): readonly string[] =>
  typeof column === 'object' && 'parameter' in column ? [column.parameter] : []

/** Rows in which it is the same are not told apart by it. A single row is called by all that is told of it. */
const differs = ({ variants }: Result, parameter: string): boolean =>
  variants.length < 2 || new Set(variants.map((variant) => parameterCell(variant, parameter))).size > 1

/** The first of them that tell all rows apart: "16 clients" needs no 16 beside it. All, where they do not. */
function needed(parameters: readonly string[], { variants }: Result): readonly string[] {
  const rows = new Set(variants.map(({ row }) => row)).size
  const told = (count: number): number =>
    new Set(
      variants.map((variant) =>
        parameters
          .slice(0, count)
          .map((name) => parameterCell(variant, name))
          .join('\n'),
      ),
    ).size
  const count = parameters.findIndex((_, index) => told(index + 1) >= rows)
  return count < 0 ? parameters : parameters.slice(0, count + 1)
}
