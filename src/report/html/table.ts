import { type Trust, trustText } from '../../metrics/trust/judge.ts'
import { trustLevels } from '../../results/warnings/weights.ts'
import { makeReadable, type ReadableCell, type ReadableColumn, trustMarks } from '../tables/readable-table.ts'
import { type Table } from '../tables/table.ts'
import { type Markup, markup } from './markup.ts'

/** A table with a caption and headers for screen readers. Scripts make it sortable, and filter the rows of a long one. */
export function tableHtml(table: Table): Markup {
  const { title, columns, rows, remarks, isTransposed } = makeReadable(table)
  return markup`<div class="table" tabindex="0" role="group" aria-label="${title}"><table${isTransposed ? markup` data-transposed=""` : null}>
<caption>${title}</caption>
<thead><tr>${columns.map((column) => markup`<th scope="col"${column.isNumeric ? markup` class="n"` : null}>${markHtml(column.trust)}${column.title}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({
      cells,
      trust,
    }) => markup`<tr>${cells.map((cell, index) => cellHtml(cell, columns[index], index === 0 ? { trust } : null))}</tr>
`,
  )}</tbody>
</table></div>${remarks.map((remark) => markup`<p class="remark">${remark}</p>`)}`
}

/** Longer texts are broken into lines, in characters. */
const longText = 44

/** @param header The trust in the row that the cell is the header of. Null: it is none. */
function cellHtml(
  cell: ReadableCell,
  column: ReadableColumn | undefined,
  header: { trust: Trust | null } | null,
): Markup {
  const { text, isAlarming } = cell
  const look = chooseCellClass(cell, column?.isNumeric === true)
  const content = isAlarming ? markup`<strong class="alarming">${text}</strong>` : text
  if (header !== null) return markup`<th scope="row"${look}>${markHtml(header.trust)}${content}`
  return markup`<td${look}>${content}`
}

/** Numbers stand to the right, in a column of them. */
function chooseCellClass({ text, isNumber }: ReadableCell, isNumericColumn: boolean): Markup | null {
  if (isNumericColumn && isNumber) return markup` class="n"`
  return text.length > longText ? markup` class="long"` : null
}

/** A mark for what is not comparable, with its words for a pointer and for screen readers. */
function markHtml(trust: Trust | null): Markup | null {
  if (trust === null || trust.level === 'comparable') return null
  const words = trustText(trust)
  return markup`<span class="trust ${createTrustClass(trust.level)}" title="${words}"><span aria-hidden="true">${trustMarks[trust.level]}</span><span class="hidden">${words}: </span></span> `
}

/** "lower bound (client 96 %)", with a colour of its level. */
export function trustBadge(text: string): Markup {
  const level = trustLevels.toReversed().find((one) => text.startsWith(one)) ?? 'comparable'
  return markup`<span class="trust ${createTrustClass(level)}">${text}</span>`
}

const createTrustClass = (level: string): string => level.replaceAll(' ', '-')
