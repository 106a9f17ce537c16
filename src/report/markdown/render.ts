import { printable } from '../../core/printable.ts'
import {
  type Block,
  type Emphasis,
  type ReportTree,
  type Section,
  type TrustBlock,
  type TrustWarning,
  type BlockRenderers,
  renderBlock,
} from '../blocks/block.ts'
import { imageFile, type ReportChart } from '../charts/report-chart.ts'
import { publishedDefinitions } from '../published/remarks.ts'
import { escapeAttribute, escapeHeading, escapeHtml, escapeLine, escapeText } from './escape.ts'
import { safeMarkdown } from './safe-markdown.ts'
import { tableMarkdown } from './table.ts'

/** How blocks become Markdown. */
export type MarkdownOptions = {
  /** The folder of the charts, as a link has it. Default: that of the text. */
  readonly charts?: string
}

/** A report as one text, with the definitions that it needs at its end. */
export function reportMarkdown(tree: ReportTree, options?: MarkdownOptions): string {
  const text = treeMarkdown(tree, options)
  const legend = createMarkdownLegend(text)
  return legend === '' ? text : `${text}\n${legend}\n`
}

type TitledSections = { readonly title: string; readonly sections: readonly Omit<Section, 'key'>[] }

/** Sections below their title as one text. */
export function treeMarkdown({ title, sections }: TitledSections, options?: MarkdownOptions): string {
  const texts = sections.map((section) => sectionMarkdown(section, options))
  return `${paragraphs([`## ${escapeHeading(title)}`, ...texts])}\n`
}

/** A section with its heading. */
export function sectionMarkdown(section: Omit<Section, 'key'>, options?: MarkdownOptions): string {
  const heading = sectionHeading(section)
  return paragraphs([...(heading === null ? [] : [heading]), blocksMarkdown(section.blocks, options)])
}

/** The heading of a section. Null: it has none. */
export const sectionHeading = ({ title }: Pick<Section, 'title'>): string | null =>
  title === null ? null : `### ${escapeHeading(title)}`

/** Blocks without a heading. */
export const blocksMarkdown = (blocks: readonly Block[], options: MarkdownOptions = {}): string =>
  printable(paragraphs(blocks.map((block) => renderBlock(renderers, block, options))))

const paragraphs = (texts: readonly string[]): string => texts.join('\n\n')

const renderers: BlockRenderers<string, [options: MarkdownOptions]> = {
  // Four leading spaces would make code of a fence.
  prose: ({ markdown }) => safeMarkdown(markdown.trim()),
  paragraph: ({ emphasis, text }) => emphasized[emphasis](text),
  warning: ({ label, text }) => `> ${label === null ? escapeLine(text) : `${strong(`${label}:`)} ${escapeText(text)}`}`,
  list: ({ items }) => renderList(items.map(escapeLine)),
  table: ({ table }) => tableMarkdown(table),
  trust: trustMarkdown,
  chart: ({ chart }, { charts }) => chartImage(chart, charts ? `${charts}/` : ''),
  code: ({ text, language = 'sh' }) => codeMarkdown(text, language),
  folded: ({ summary, blocks }, options) => folded(summary, blocksMarkdown(blocks, options)),
}

const strong = (text: string): string => `**${escapeText(text, '*')}**`

const emphasized: Readonly<Record<Emphasis, (text: string) => string>> = {
  none: escapeLine,
  strong,
  aside: (text) => `_${escapeText(text, '_')}_`,
}

/** No line of it closes its fence. */
function codeMarkdown(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)))
  return `${fence}${language}\n${text}\n${fence}`
}

const renderList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

const folded = (summary: string, text: string): string =>
  `<details>\n<summary>${escapeHtml(summary)}</summary>\n\n${text}\n\n</details>`

function trustMarkdown({ summary, warnings }: TrustBlock): string {
  if (warnings.length === 0) return escapeLine(`${summary}.`)
  return folded(summary, renderList(warnings.map(trustItem)))
}

function trustItem({ level, where, message, advice, effects }: TrustWarning): string {
  const label = level === 'comparable' ? 'Remark' : strong(`${level.charAt(0).toUpperCase()}${level.slice(1)}`)
  const text = `${label} ${escapeText(`(${where}): ${message}${advice === '' ? '' : ` ${advice}`}`)}`
  return [text, ...effects.map((effect) => `  - ${trustItem(effect)}`)].join('\n')
}

/**
 * The image of a chart in the colours that its reader prefers.
 * @param folder Where the images are, as a link has it: empty, or ending in a slash.
 */
function chartImage({ alt, file }: Pick<ReportChart, 'alt' | 'file'>, folder: string): string {
  const [light, dark] = (['light', 'dark'] as const).map((theme) => escapeAttribute(folder + imageFile(file, theme)))
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img alt="${escapeAttribute(alt)}" src="${light}"></picture>`
}

type Definition = {
  /** Occurs in the headings of tables that need it. */
  readonly usedIn: RegExp
  readonly text: string
}

/** Meanings of words in reports. A report or document defines each once, if it uses it. */
const definitions: readonly Definition[] = [
  {
    usedIn: /\((?:lower bound|do not compare)\) *\|/,
    text:
      'Trust, decided by the majority of the runs of a row: *comparable*: nothing known speaks against comparing the row; ' +
      '*lower bound*: the server could do more, because the client was the bottleneck (with the share of time that its event loop was busy); ' +
      '*do not compare*: the row does not show what it is meant to show. Remarks change nothing about it.',
  },
  {
    usedIn: /\(unchecked\) *\|/,
    text: '*unchecked*: mongo-perf could not see whether other programs slowed the row: trust it only if the machine was idle.',
  },
  {
    usedIn: /\bLimited by *\|/,
    text:
      'Limited by: what kept throughput from being higher in most runs of a row, with the figures of one. ' +
      '*not known*: no limit that mongo-perf looks for, or the runs disagree.',
  },
  {
    usedIn: /cells show .* together/,
    text:
      'Runs together: percentiles, means and extremes of times cover all runs of a row, from merged histograms; ' +
      'other metrics are the median of its runs, and errors the maximum.',
  },
  {
    usedIn: /\bmean of \d+ rounds\b/,
    text:
      'Mean of rounds: the geometric mean of the ratios of runs measured soon after each other, with its 95 % interval. ' +
      'The ratio of two cells may differ: a cell covers all runs.',
  },
  { usedIn: /\bPublished CPU \(/, text: publishedDefinitions },
  { usedIn: /\([KM]B\)|\b[KM]B\/s/, text: 'KB = 1024 B, MB = 1024 KB.' },
]

/** The definitions that a report or document needs, as a Markdown list. Empty if it needs none. */
export const createMarkdownLegend = (text: string): string =>
  definitions.flatMap((definition) => (definition.usedIn.test(text) ? `- ${definition.text}` : [])).join('\n')
