import { cellOf } from '../evaluate.ts'
import { type Named, parameterValue, readValue } from '../parameters.ts'
import { type PublishedSpec } from '../schema.ts'
import { type PublishedCell } from './document.ts'
import { type PublishedRow, type PublishedTable } from './find-table.ts'
import { plainText } from './same-text.ts'

/** The published row that a row is compared with: its parameters have the labels, or else the values, of the key columns. */
export function publishedRowOf(row: Named, { rows: keys }: PublishedSpec, table: PublishedTable): PublishedRow | null {
  const texts = keys.map(({ parameter }) => textsOf(row, parameter))
  return (
    table.rows.find((published) => texts.every((known, at) => known.has(textOf(published.keys[at] ?? null)))) ?? null
  )
}

/** An empty cell is an empty label. A parameter that a row does not have is compared with nothing. */
function textsOf(row: Named, name: string): ReadonlySet<string> {
  const label = row.parameters[name]?.label
  const value = parameterValue(row, name)
  return new Set([
    ...(label === undefined ? [] : [plainText(label)]),
    ...(value === undefined ? [] : [textOf(cellOf(readValue(value)))]),
  ])
}

const textOf = (cell: PublishedCell): string => (cell === null ? '' : plainText(String(cell)))
