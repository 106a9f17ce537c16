import { cellText } from '../../metrics/format.ts'
import { type Trust, trustText } from '../../metrics/trust/judge.ts'
import { trustLevels } from '../../results/warnings/weights.ts'
import {
  type Block,
  type BlockRenderers,
  type Section,
  type TrustBlock,
  type TrustWarning,
  renderBlock,
} from '../blocks/block.ts'
import type { Picture } from '../charts/picture.ts'
import type { ReportChart } from '../charts/report-chart.ts'
import { type ReadableCell, type ReadableColumn, makeReadable, trustMarks } from '../tables/readable-table.ts'
import type { Table } from '../tables/table.ts'
import { type Markup, jsonScript, markup, rounded } from './markup.ts'
import { prose } from './overview.ts'

/** A table with a caption and headers for screen readers. Scripts make it sortable, and filter the rows of a long one. */
function tableHtml(table: Table): Markup {
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
  const { text, isAlarming, reason = null } = cell
  const look = chooseCellClass(cell, column?.isNumeric === true)
  const known = isAlarming ? markup`<strong class="alarming">${text}</strong>` : text
  const content = reason === null ? known : markup`<span class="reason">${reason}</span>`
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
function trustBadge(text: string): Markup {
  const level = trustLevels.toReversed().find((one) => text.startsWith(one)) ?? 'comparable'
  return markup`<span class="trust ${createTrustClass(level)}">${text}</span>`
}

const createTrustClass = (level: string): string => level.replaceAll(' ', '-')

/** A section with its heading. Tables have their titles as captions. */
export function sectionHtml({ key, title, blocks }: Section, idOf: (key: string) => string): Markup {
  const heading =
    title === null || blocks.some((block) => block.kind === 'table' && block.table.title === title)
      ? null
      : markup`<h3>${title}</h3>`
  return markup`<section id="${idOf(key)}" class="block">${heading}${blocks.map(blockHtml)}</section>
`
}

export const blockHtml = (block: Block): Markup => renderBlock(renderers, block)

const renderers: BlockRenderers<Markup> = {
  prose: ({ markdown }) => markup`<div class="prose">${prose(markdown)}</div>`,
  paragraph: ({ emphasis, text }) => markup`<p class="${emphasis}">${text}</p>`,
  warning: ({ label, text }) =>
    markup`<p class="warning">${label === null ? null : markup`<strong>${label}:</strong> `}${text}</p>`,
  list: ({ items }) => markup`<ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>`,
  table: ({ table }) => tableHtml(table),
  trust: trustHtml,
  chart: ({ chart }) => chartHtml(chart),
  code: ({ text }) => markup`<pre><code>${text}</code></pre>`,
  folded: ({ summary, blocks }) => foldedHtml(summary, blocks.map(blockHtml)),
}

/** Folds content that is shown when the reader asks for it. */
export const foldedHtml = (summary: string, content: readonly Markup[]): Markup =>
  markup`<details><summary>${summary}</summary>${content}</details>`

function trustHtml({ summary, warnings }: TrustBlock): Markup {
  if (warnings.length === 0) return markup`<p class="aside">${summary}.</p>`
  return foldedHtml(summary, [warningsHtml(warnings)])
}

function warningsHtml(warnings: readonly TrustWarning[]): Markup {
  const items = warnings.map(({ level, where, message, advice, effects }) => {
    const badge = trustBadge(level === 'comparable' ? 'remark' : level)
    const more = effects.length === 0 ? null : foldedHtml(`It explains ${effects.length} more`, [warningsHtml(effects)])
    return markup`<li>${badge} <span class="where">${where}</span> ${message}${advice === '' ? null : markup` <span class="advice">${advice}</span>`}${more}</li>`
  })
  return markup`<ul class="warnings">${items}</ul>`
}

const maxRows = 60

/** A chart: its texts and its values as HTML, and what the script draws. */
function chartHtml(chart: ReportChart): Markup {
  const { title, subtitle, caption, alt, picture } = chart
  return markup`<figure class="chart" data-chart="">
<figcaption><strong>${title}</strong>${subtitle === '' ? null : markup`<span class="subtitle">${subtitle}</span>`}</figcaption>
<div class="plot" role="img" aria-label="${alt}"></div>
${caption === '' ? null : markup`<p class="caption">${caption}</p>`}
${valuesHtml(title, picture)}
${jsonScript('chart', { ...chart, alt: '', picture: roundedPicture(picture) })}</figure>
`
}

/** Digits that no one can see in a chart take half of its room. */
const roundedPicture = (picture: Picture): Picture => ({
  ...picture,
  lines: picture.lines.map((line) => ({
    ...line,
    points: line.points.map((point) => ({
      ...point,
      x: Number(point.x.toPrecision(6)),
      y: point.y === null ? null : rounded(point.y),
      range: point.range && ([rounded(point.range[0]), rounded(point.range[1])] as const),
    })),
  })),
})

/** The values of a chart as a table, for those who do not see it. */
function valuesHtml(title: string, { x, lines }: Picture): Markup {
  const places = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))].toSorted((a, b) => a - b)
  const each = Math.ceil(places.length / maxRows)
  const shown = places.filter((_, index) => index % each === 0)
  const nameOf = (place: number): string => {
    if (x.kind === 'category') return x.labels[place] ?? ''
    return x.ticks?.find(({ value }) => value === place)?.label ?? cellText(place, 'significant')
  }
  const labels = lines.map(({ label }) => label)
  const values = lines.map(({ points }) => new Map(points.map((point) => [point.x, point.y])))
  const left = each === 1 ? '' : ` (every ${each}th of ${places.length} points)`
  return markup`<details class="values"><summary>Values of this chart</summary><div class="table" tabindex="0" role="group" aria-label="Values of ${title}"><table>
<caption>${title}${left}</caption>
<thead><tr><th scope="col">${x.title === '' ? 'Point' : x.title}</th>${labels.map((label) => markup`<th scope="col" class="n">${label}</th>`)}</tr></thead>
<tbody>${shown.map((place) => markup`<tr><th scope="row">${nameOf(place)}</th>${values.map((of) => markup`<td class="n">${cellText(of.get(place) ?? null, 'significant')}</td>`)}</tr>`)}</tbody>
</table></div></details>`
}
