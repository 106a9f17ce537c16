import { describeTrust, type Overview, type OverviewRatios } from '../prose/overview.ts'
import { type Content, type Markup, markup } from './markup.ts'
import { inlineProse } from './prose.ts'

/** The overview as the first screen of a result. */
export function overviewHtml(overview: Overview): Markup {
  const { finding, limitedBy, metrics, against } = overview
  const trust = trustIn(overview)
  return markup`<div class="overview">
${finding === null ? null : markup`<p class="finding">${inlineProse(finding.text)}: <strong>${finding.ratio}</strong></p>`}
<dl class="figures">${metrics.map(({ title, ...figure }) => figureHtml(title, [figure]))}${against.map(({ title, rows }) => figureHtml(title, rows))}</dl>
<dl class="judgement">
${trust === null ? null : markup`<div><dt>Can I trust this?</dt><dd>${trust}</dd></div>`}
${limitedBy === '' ? null : markup`<div><dt>Bottleneck</dt><dd>${limitedBy}</dd></div>`}
</dl>
</div>
`
}

const figureHtml = (title: string, rows: OverviewRatios['rows']): Markup =>
  markup`<div><dt>${title}</dt>${rows.map(({ value, of }) => markup`<dd>${value}${of === '' ? null : markup`<span>${of}</span>`}</dd>`)}</div>`

/** Null: nothing warns of it. */
function trustIn({ trust, metrics, isRunning }: Overview): Content {
  if (trust !== null) return describeTrust(trust)
  if (metrics.length > 0) return null
  return isRunning ? 'no row has ended yet' : 'nothing measured'
}

/** A line of the list of several results. */
export function overviewRow(title: string, id: string, overview: Overview): Markup {
  const { finding, limitedBy, metrics } = overview
  const [first] = metrics
  const figure = first === undefined ? '' : `${first.title} ${first.value}`
  const found = finding === null ? figure : markup`${inlineProse(finding.text)}: ${finding.ratio}`
  return markup`<tr><th scope="row" class="long"><a href="#${id}">${title}</a></th><td class="long">${found}</td><td class="long">${limitedBy}</td><td class="long">${trustIn(overview) ?? 'comparable'}</td></tr>
`
}
