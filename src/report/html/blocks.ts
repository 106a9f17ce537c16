import { cellText } from '../../metrics/format.ts'
import { type Block, type Section, type TrustBlock, type TrustWarning } from '../blocks/block.ts'
import { type Picture } from '../charts/picture.ts'
import { type ReportChart } from '../charts/report-chart.ts'
import { jsonScript, type Markup, markup, rounded } from './markup.ts'
import { prose } from './prose.ts'
import { tableHtml, trustBadge } from './table.ts'

/** A section with its heading. Tables have their titles as captions. */
export function sectionHtml({ key, title, blocks }: Section, idOf: (key: string) => string): Markup {
  const heading =
    title === null || blocks.some((block) => block.kind === 'table' && block.table.title === title)
      ? null
      : markup`<h3>${title}</h3>`
  return markup`<section id="${idOf(key)}" class="block">${heading}${blocks.map(blockHtml)}</section>
`
}

export function blockHtml(block: Block): Markup {
  switch (block.kind) {
    case 'prose':
      return markup`<div class="prose">${prose(block.markdown)}</div>`
    case 'paragraph':
      return markup`<p class="${block.emphasis}">${block.text}</p>`
    case 'warning':
      return markup`<p class="warning">${block.label === null ? null : markup`<strong>${block.label}:</strong> `}${block.text}</p>`
    case 'list':
      return markup`<ul>${block.items.map((item) => markup`<li>${item}</li>`)}</ul>`
    case 'table':
      return tableHtml(block.table)
    case 'trust':
      return trustHtml(block)
    case 'chart':
      return chartHtml(block.chart)
    case 'code':
      return markup`<pre><code>${block.text}</code></pre>`
    case 'folded':
      return foldedHtml(block.summary, block.blocks.map(blockHtml))
  }
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
