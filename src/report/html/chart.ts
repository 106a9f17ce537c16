import { cellText } from '../../metrics/format.ts'
import { type ReportChart } from '../charts/report-chart.ts'
import { type Picture } from '../charts/picture.ts'
import { jsonScript, type Markup, markup } from './markup.ts'
import { rounded } from './rounded.ts'

const maxRows = 60

/** A chart: its texts and its values as HTML, and what the script draws. */
export function chartHtml(chart: ReportChart): Markup {
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
