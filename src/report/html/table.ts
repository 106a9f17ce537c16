import { cellText, type Digits } from '../../metrics/format.ts'
import { type Cell } from '../../metrics/rows/rows.ts'
import { trustLevels } from '../../results/warnings/weights.ts'
import { type Table, type TableRow, withTrust } from '../tables/table.ts'
import { type Markup, markup } from './markup.ts'

/** A table with a caption and headers for screen readers. Scripts make it sortable, and filter the rows of a long one. */
export function tableHtml(table: Table): Markup {
  const { columns, rows } = withTrust(table)
  const numeric = columns.map((_, column) => isNumeric(rows, column))
  const digitsOf = ({ digits }: TableRow, column: number): Digits =>
    digits === undefined ? (columns[column]?.digits ?? null) : digits
  return markup`<div class="table" tabindex="0" role="group" aria-label="${table.title}"><table${table.isTransposed ? markup` data-transposed=""` : null}>
<caption>${table.title}</caption>
<thead><tr>${columns.map(({ title }, column) => markup`<th scope="col"${numeric[column] ? markup` class="n"` : null}>${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => markup`<tr>${row.cells.map((cell, column) => cellHtml(cell, { digits: digitsOf(row, column), isHeader: column === 0, isNumeric: table.isTransposed || numeric[column] === true, isTrustColumn: columns[column]?.name === 'trust', isAlarming: columns[column]?.alarming?.includes(String(cell)) ?? false }))}</tr>
`,
  )}</tbody>
</table></div>${table.remarks.map((remark) => markup`<p class="remark">${remark}</p>`)}`
}

/** Longer texts are broken into lines, in characters. */
const longText = 44

type Look = {
  readonly digits: Digits
  readonly isHeader: boolean
  readonly isNumeric: boolean
  readonly isTrustColumn: boolean
  readonly isAlarming: boolean
}

function cellHtml(
  cell: Cell,
  { digits, isHeader, isNumeric: isNumericColumn, isTrustColumn, isAlarming }: Look,
): Markup {
  const text = cellText(cell, digits)
  const look = chooseCellClass(cell, text, isNumericColumn)
  const content = isTrustColumn
    ? trustBadge(text)
    : isAlarming
      ? markup`<strong class="alarming">${text}</strong>`
      : text
  if (isHeader) return markup`<th scope="row"${look}>${content}`
  return markup`<td${look}>${content}`
}

/** Numbers stand to the right, in a column of them. */
function chooseCellClass(cell: Cell, text: string, isNumericColumn: boolean): Markup | null {
  if (isNumericColumn && isNumber(cell)) return markup` class="n"`
  return text.length > longText ? markup` class="long"` : null
}

/** Whether a cell is a number, or shows one as text. */
const isNumber = (cell: Cell): boolean => typeof cell === 'number' || (cell !== null && /^-?\d+(\.\d+)?$/.test(cell))

/** Whether at least half of the cells of a column are numbers. */
const isNumeric = (rows: readonly TableRow[], column: number): boolean => {
  const cells = rows.map(({ cells: of }) => of[column] ?? null).filter((cell) => cell !== null)
  return cells.length > 0 && 2 * cells.filter(isNumber).length >= cells.length
}

/** "lower bound (client 96 %)", with a colour of its level. */
export function trustBadge(text: string): Markup {
  const level = trustLevels.toReversed().find((one) => text.startsWith(one)) ?? 'comparable'
  return markup`<span class="trust ${level.replaceAll(' ', '-')}">${text}</span>`
}
