import markdownIt, { type Token } from 'markdown-it'
import { type Markup, trusted } from './markup.ts'

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
export const inlineProse = (markdown: string): Markup => trusted(renderer.renderInline(markdown))
