import { type Address, readAddress } from './address.ts'
import { type Evaluation } from './evaluate.ts'
import { ratioCell } from './ratios.ts'
import { type ColumnSpec, type TableSpec } from './report-schema.ts'
import { variedNames } from './rows/parameters.ts'
import { type Row } from './rows/rows.ts'
import { findSibling } from './rows/siblings.ts'
import { type Shape } from './scope.ts'
import { whyNotCompared } from './trust/judge.ts'

/** Each row of a table against its base row. */
export type Against = {
  /** Heading of its column. */
  readonly title: string
  readonly address: Address
  /** The ratio with its interval, "base" for the base row itself. Null: there is none. */
  readonly cell: (row: Row) => string | null
  readonly remark: string
}

export const getColumnMetric = (column: ColumnSpec): string | undefined =>
  typeof column === 'string' ? column : 'metric' in column ? column.metric : undefined

/** Name of the column with the ratios, which comes last. */
export const againstName = 'against'

type Compared = NonNullable<TableSpec['compare']>

/** Whether a metric has a ratio of which a reader knows what is better, and a value for each run. */
const isComparable = ({ column }: Address): boolean => column.better !== undefined && 'value' in column

/** The address that a table compares by, if it has one. */
export function findComparedMetric({ columns }: TableSpec, { of }: Compared, shape: Shape): Address | undefined {
  const texts = of === undefined ? columns.flatMap((column) => getColumnMetric(column) ?? []) : [of]
  const addresses = texts.map((text) => readAddress(text, shape))
  return addresses.find((read): read is Address => !('reason' in read) && isComparable(read))
}

/** The comparison that a table asks for. Null: it asks for none, or a result has not got that far. */
export function createAgainst(table: TableSpec, { result, shape, rows }: Evaluation): Against | null {
  const { compare } = table
  const address = compare && findComparedMetric(table, compare, shape)
  if (compare === undefined || address === undefined) return null
  const varied = variedNames(result)
  const variants = rows('variants')
  const baseOf = (row: Row): Row | null => findSibling(row, compare.to, variants, varied)
  const entries = Object.entries(compare.to)
  const values = entries.map(([name, value]) => (typeof value === 'string' ? value : `${name} ${value}`)).join(', ')
  const title = `against ${values} (95 %)`
  const where = entries.map(([name, value]) => `${name} ${value}`).join(', ')
  return {
    title,
    address,
    cell(row) {
      const base = baseOf(row)
      if (base === null) return null
      return base.variant.row === row.variant.row ? 'base' : ratioCell(row, base, address, whyNotCompared)
    },
    remark: variants.some((row) => baseOf(row) !== null)
      ? `"${title}": ${address.column.title} ÷ its value in the row with ${where} (95 % interval of each row; "about" below 6 runs).`
      : `"${title}" is empty, because no row has ${where}.`,
  }
}
