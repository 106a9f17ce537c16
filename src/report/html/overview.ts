import markdownIt, { type Token } from 'markdown-it'
import { type Overview, type OverviewRatios, describeTrust } from '../prose/overview.ts'
import { type Content, type Markup, markup, trusted } from './markup.ts'

/** Headings of people's texts begin below those of the page. */
const headingsBelow = 3
const maxHeading = 6

const renderer = markdownIt({ html: false, linkify: false, typographer: false })
// An image would be a request.
renderer.disable('image')
renderer.validateLink = (link) => /^(?:https?:|mailto:|#)/i.test(link.trim())
renderer.core.ruler.push('headings-below', ({ tokens }) => {
  for (const token of tokens) if (isHeading(token)) token.tag = lowered(token.tag)
})
renderer.renderer.rules['link_open'] = (tokens, index, options, _, self) => {
  tokens[index]?.attrSet('rel', 'noopener noreferrer')
  return self.renderToken(tokens, index, options)
}

const isHeading = ({ type }: Token): boolean => type === 'heading_open' || type === 'heading_close'

const lowered = (tag: string): string => `h${Math.min(maxHeading, Number(tag.slice(1)) + headingsBelow)}`

/** Markdown that people wrote, without their HTML and images, and with links to the web, to addresses and within the page alone. */
export const prose = (markdown: string): Markup => trusted(renderer.render(markdown.trim()))

/** The same of one line, without a paragraph around it. */
const inlineProse = (markdown: string): Markup => trusted(renderer.renderInline(markdown))

/** The overview as the first screen of a result. */
export function overviewHtml(overview: Overview): Markup {
  const { finding, limitedBy, metrics, missed, against } = overview
  const trust = trustIn(overview)
  return markup`<div class="overview">
${finding === null ? null : markup`<p class="finding">${inlineProse(finding.text)}: <strong>${finding.ratio}</strong></p>`}
<dl class="figures">${metrics.map((one) => figureHtml(one.title, [one]))}${missed.map((one) => figureHtml(one.title, [one], markup` class="missed"`))}${against.map(({ title, rows }) => figureHtml(title, rows))}</dl>
<dl class="judgement">
${trust === null ? null : markup`<div><dt>Can I trust this?</dt><dd>${trust}</dd></div>`}
${limitedBy === '' ? null : markup`<div><dt>Bottleneck</dt><dd>${limitedBy}</dd></div>`}
</dl>
</div>
`
}

const figureHtml = (title: string, rows: OverviewRatios['rows'], look: Markup | null = null): Markup =>
  markup`<div${look}><dt>${title}</dt>${rows.map(({ value, of }) => markup`<dd>${value}${of === '' ? null : markup`<span>${of}</span>`}</dd>`)}</div>`

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
