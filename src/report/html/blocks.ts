import { type Block, type Section, type TrustBlock } from '../blocks/block.ts'
import { chartHtml } from './chart.ts'
import { type Markup, markup } from './markup.ts'
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

/** A block of a report. */
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

/** What is shown when the reader asks for it. */
export const foldedHtml = (summary: string, content: readonly Markup[]): Markup =>
  markup`<details><summary>${summary}</summary>${content}</details>`

function trustHtml({ summary, warnings }: TrustBlock): Markup {
  const items = warnings.map(
    ({ level, where, message, advice }) =>
      markup`<li>${trustBadge(level === 'comparable' ? 'remark' : level)} <span class="where">${where}</span> ${message}${advice === '' ? null : markup` <span class="advice">${advice}</span>`}</li>`,
  )
  return foldedHtml(summary, [markup`<ul class="warnings">${items}</ul>`])
}
