import { toCell } from '../../metrics/evaluate.ts'
import { type PublishedSpec } from '../../metrics/report-schema.ts'
import { type Named, parameterValue, readValue } from '../../metrics/rows/parameters.ts'
import { type PublishedCell } from './document.ts'
import { type PublishedRow, type PublishedTable } from './find-table.ts'

/** Normalizes white space and commas. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*,[\s,]*/g, ', ')
    .trim()

/** Whether two texts are equal apart from white space and commas. */
export const sameText = (a: string, b: string): boolean => plainText(a) === plainText(b)

/** The published row of a row: the labels or values of its parameters match the key columns. Null if there is none. */
export function findPublishedRow(
  row: Named,
  { rows: keys }: PublishedSpec,
  table: PublishedTable,
): PublishedRow | null {
  const texts = keys.map(({ parameter }) => collectMatchingTexts(row, parameter))
  return (
    table.rows.find((published) => texts.every((known, at) => known.has(toCellText(published.keys[at] ?? null)))) ??
    null
  )
}

/** Texts that match a key cell: an empty cell matches an empty label. A missing parameter matches nothing. */
function collectMatchingTexts(row: Named, name: string): ReadonlySet<string> {
  const label = row.parameters[name]?.label
  const value = parameterValue(row, name)
  return new Set([
    ...(label === undefined ? [] : [plainText(label)]),
    ...(value === undefined ? [] : [toCellText(toCell(readValue(value)))]),
  ])
}

const toCellText = (cell: PublishedCell): string => (cell === null ? '' : plainText(String(cell)))
