import { formatQuantity } from '../../core/quantities.ts'
import { sectionKeys } from '../blocks/section-keys.ts'
import { escapeCell } from '../markdown/escape.ts'
import { createMarkdownLegend } from '../markdown/render.ts'
import { safeCell } from '../markdown/safe-markdown.ts'
import { tableOfCells } from '../markdown/table.ts'
import { type ReportFinding } from '../prose/finding.ts'
import { type Attributes, blockText, contentsBlock, findingsBlock, legendBlock, titleBlock } from './markers.ts'
import {
  type Block,
  blocksIn,
  type Document,
  type Heading,
  isKept,
  type Node,
  print,
  replaceBlocks,
} from './parse-document.ts'
import { computeSourceHash, parseSource } from './sources.ts'

/** A document with its blocks about all of it filled, as far as it has them. */
export const withOverview = (document: Document): Document =>
  replaceBlocks(document, (block) => {
    const textOf = isKept(block) ? undefined : texts.get(block.name)
    return textOf ? blockText(block.name, block.attributes, textOf(document, block), document.lineEnd) : null
  })

const texts: ReadonlyMap<string, (document: Document, block: Block) => string> = new Map([
  [titleBlock, titleText],
  [legendBlock, legendText],
  [findingsBlock, findingsText],
  [contentsBlock, contentsText],
])

/** Author, date and version of a document. Empty if it has no section. */
function titleText(document: Document, { attributes: { author = '' } }: Block): string {
  const cells = [
    ['**Author**', escapeCell(author)],
    ['**Date**', listAttributes(document, 'measured').at(-1) ?? ''],
    ['**Version**', describeVersions(document)],
  ].filter(([, value]) => value !== '')
  return cells.length === 0 ? '' : tableOfCells(cells)
}

/** The values that an attribute has, each once. */
const listAttributes = (document: Document, name: string): readonly string[] =>
  [...new Set(blocksIn(document).flatMap(({ attributes }) => attributes[name] ?? []))].toSorted()

/** The versions of mongo-perf, the number of results, and a hash over them. */
function describeVersions(document: Document): string {
  const sources = blocksIn(document).flatMap((block) => parseSource(block) ?? [])
  const results = new Map(sources.map(({ path, sha256 }) => [path, sha256]))
  if (results.size === 0) return ''
  return [
    `mongo-perf ${listAttributes(document, 'version').join(' and ')}`,
    formatQuantity(results.size, 'result'),
    computeSourceHash([...results.values()].toSorted().join('\n')),
  ].join(', ')
}

/** The definitions that the sections of a document need. */
function legendText(document: Document): string {
  const sections = blocksIn(document).filter(({ name }) => !name.startsWith('@'))
  return createMarkdownLegend(sections.map(({ lines }) => print(lines)).join('\n'))
}

/** A finding as attributes of the block on how its section was measured, from which later updates read it. */
export const findingAttributes = (finding: ReportFinding | null): Attributes =>
  finding === null ? {} : { finding: finding.text, ratio: finding.ratio, limit: finding.limitedBy }

/** A table of what the sections found out, in their order, with links to them. Empty if none names a finding. */
function findingsText(document: Document): string {
  const linked = linkHeadings(document)
  const lines = partsWithFinding(document).map((block) => {
    const { finding = '', ratio = '', limit = '' } = block.attributes
    const heading = headingsIn(nodesAbove(document, block)).findLast(({ level }) => level <= 2)
    return [
      heading === undefined ? safeCell(finding) : linked(heading, safeCell(finding)),
      escapeCell(ratio),
      escapeCell(limit),
    ]
  })
  return lines.length === 0 ? '' : tableOfCells([['What is compared', 'Ratio', 'Limited by'], ...lines])
}

const partsWithFinding = (document: Document): readonly Block[] =>
  blocksIn(document).filter(
    ({ name, attributes }) => 'finding' in attributes && name.endsWith(`/${sectionKeys.measured}`),
  )

/** A list of links to the headings of level 2, except the one directly above the list. */
function contentsText(document: Document, list: Block): string {
  const linked = linkHeadings(document)
  const above = nodesAbove(document, list).findLast(({ text }) => text.trim() !== '')
  return headingsIn(document.nodes)
    .filter((heading) => heading.level === 2 && !(above?.kind === 'line' && above.heading === heading))
    .map((heading) => `- ${linked(heading, heading.text)}`)
    .join('\n')
}

const nodesAbove = ({ nodes }: Document, node: Node): readonly Node[] => nodes.slice(0, nodes.indexOf(node))

/** All headings, also those in blocks. */
const headingsIn = (nodes: readonly Node[]): readonly Heading[] =>
  nodes.flatMap((node) => (node.kind === 'block' ? node.lines : [node])).flatMap(({ heading }) => heading ?? [])

function linkHeadings({ nodes }: Document): (heading: Heading, text: string) => string {
  const anchors = createAnchors(headingsIn(nodes))
  return (heading, text) => `[${linkText(text)}](#${anchors.get(heading)})`
}

/** The anchors that GitHub generates for headings, in order: "resource-usage-1" for the second of that name. */
function createAnchors(headings: readonly Heading[]): ReadonlyMap<Heading, string> {
  const times = new Map<string, number>()
  const anchors = new Map<Heading, string>()
  for (const heading of headings) {
    const plain = anchorText(heading.text)
    let anchor = plain
    while (times.has(anchor)) {
      const next = (times.get(plain) ?? 0) + 1
      times.set(plain, next)
      anchor = `${plain}-${next}`
    }
    times.set(anchor, 0)
    anchors.set(heading, anchor)
  }
  return anchors
}

/** Letters, digits, underscores and hyphens of the shown text, in lower case, with hyphens instead of spaces. */
const anchorText = (text: string): string =>
  shownText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** Text without the Markdown of links, HTML tags and emphasis. */
function shownText(text: string): string {
  return outsideOfCode(text, (part) =>
    withoutLinks(part)
      .replaceAll(/(?<!\\)<\/?[a-z][^>]*>/gi, '')
      .replaceAll(/(?<![\p{L}\p{N}\\])(_+)(?=\S)(.*?[^\s\\])\1(?![\p{L}\p{N}])/gu, '$2'),
  )
}

const withoutLinks = (text: string): string =>
  text.replaceAll(/!?(?<!\\)\[([^[\]]*)(?<!\\)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')

/** Text for use inside of a link: without links, and with escaped brackets. */
const linkText = (text: string): string =>
  outsideOfCode(text, (part) => withoutLinks(part).replaceAll(/(?<!\\)[[\]]/g, String.raw`\$&`))

/** Changes the text between code spans. */
function outsideOfCode(text: string, change: (part: string) => string): string {
  return text
    .split(/((?<!\\)`[^`]+`)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
