import { Problem } from '../../core/errors.ts'
import { type ReportTree, type Section } from '../blocks/block.ts'
import { sectionKeys } from '../blocks/section-keys.ts'
import { escapeCell, escapeHeading } from '../markdown/escape.ts'
import { blocksMarkdown, createMarkdownLegend, sectionHeading } from '../markdown/render.ts'
import { tableOfCells } from '../markdown/table.ts'
import { createAnchors, findingsText, linkText } from './findings.ts'
import { readLayout } from './layout.ts'
import {
  type Attributes,
  type Block,
  blockText,
  contentsBlock,
  findingsBlock,
  isKept,
  isOmitted,
  legendBlock,
  sharedSettingsBlock,
  titleBlock,
} from './markers.ts'
import { detectLineEnd, type ParsedDocument, parseDocument, withAdded, withBlocks } from './parse-document.ts'
import { withoutSharedSettings, withSharedSettings } from './shared-settings.ts'
import {
  listEdited,
  refuseOtherResult,
  toSourceAttributes,
  computeSourceHash,
  type Source,
  parseSource,
} from './sources.ts'

/** A report and its source. */
export type DocumentSection = {
  readonly section: ReportTree
  /** The folder of its charts as links have it, relative to the document. Empty: that of the document. */
  readonly charts: string
  readonly source: Source
  /** Attributes of the result that the title block shows. */
  readonly measured: Attributes
}

export type UpdatedDocument = {
  readonly text: string
  /** Remarks that the user should check, each as `file:line: what`. */
  readonly remarks: readonly string[]
  /** Remarks on blocks that people edited and that are replaced, for the user to see before they are. */
  readonly replaced: readonly string[]
}

const createDocument = (...blocks: readonly string[]): string =>
  `# Performance

${blocks.map((block) => `<!-- mongo-perf ${block} -->\n<!-- /mongo-perf ${block} -->\n\n`).join('')}## Contents

<!-- mongo-perf ${contentsBlock} -->
<!-- /mongo-perf ${contentsBlock} -->
`

export const newDocument = createDocument(titleBlock, legendBlock)

/** The text of a new document whose sections show only how they differ from the settings in front. */
export const newArticle = createDocument(titleBlock, sharedSettingsBlock, legendBlock)

/**
 * Writes reports into a document, each part between its markers. A new section replaces its placeholder or goes to the end.
 * Text outside of markers stays the same, byte for byte.
 * @param file Name of the document, for messages.
 * @throws {Problem} "document-invalid" if the markers are ambiguous, "usage" if a section shows another result.
 */
export function updateDocument(text: string, sections: readonly DocumentSection[], file = 'document'): UpdatedDocument {
  const place = { file, lineEnd: detectLineEnd(text) }
  const emptied: string[] = []
  const before = parseDocument(text, file)
  const layout = readLayout(before, file)
  let updated = withoutSharedSettings(before, place.lineEnd)
  for (const section of sections) {
    const document = parseDocument(updated, file)
    refuseOtherResult(document, section.section.name, section.source, file)
    emptied.push(...goneParts(document, section))
    updated = withSection(document, section, place)
  }
  const shared = withSharedSettings(parseDocument(updated, file), place.lineEnd, layout)
  const overview = withOverview(parseDocument(shared, file), place.lineEnd)
  const names = sections.map(({ section }) => section.name)
  return {
    text: overview,
    replaced: listEdited(before, file, names),
    remarks: remarksOn(emptied, parseDocument(overview, file), file),
  }
}

type DocumentFile = { readonly file: string; readonly lineEnd: string }

function withSection(document: ParsedDocument, section: DocumentSection, { file, lineEnd }: DocumentFile): string {
  const { name } = section.section
  const place = document.blocks.find((block) => block.name === name)
  if (place !== undefined) return withBlocks(document, [{ block: place, text: sectionText(section, lineEnd) }]).join('')
  return selectSectionBlocks(document, section).length === 0
    ? withNewSection(document, sectionText(section, lineEnd), { file, lineEnd })
    : withParts(document, section, lineEnd)
}

const selectSectionBlocks = ({ blocks }: ParsedDocument, { section }: DocumentSection): readonly Block[] =>
  blocks.filter(({ name }) => name.startsWith(`${section.name}/`))

const getBlockKey = ({ name }: Block): string => name.slice(name.indexOf('/') + 1)

function withNewSection({ lines, unclosed }: ParsedDocument, text: string, { file, lineEnd }: DocumentFile): string {
  if (unclosed === null) return withAdded(lines, new Map([[lines.length - 1, [text]]]), lineEnd).join('')
  throw new Problem(
    'document-invalid',
    `${file}:${unclosed + 1}: the code block or comment that begins here is not closed, so no section can follow it`,
    {
      hint: 'Nothing was written. Close the code block or the comment.',
    },
  )
}

/** Fills the blocks of a section, empties those of removed parts, and adds new ones after the part that precedes them in the report. */
function withParts(document: ParsedDocument, section: DocumentSection, lineEnd: string): string {
  const { sections: parts } = section.section
  const own = selectSectionBlocks(document, section)
  const filled = own.filter(isReplaced).map((block) => {
    const key = getBlockKey(block)
    const part = parts.find((one) => one.key === key) ?? { key, blocks: [] }
    const text = isOmitted(block)
      ? blockText(block.name, { ...carriedBy(section, key), omit: '' }, '', lineEnd)
      : partBlock(section, part, lineEnd)
    return { block, text }
  })
  const added = new Map<number, readonly string[]>()
  let after = lineAbove(document, own)
  for (const part of parts) {
    const block = own.find((one) => getBlockKey(one) === part.key)
    if (block === undefined) added.set(after, [...(added.get(after) ?? []), partText(section, part, lineEnd)])
    else after = block.to
  }
  return withAdded(withBlocks(document, filled), added, lineEnd).join('')
}

/** The line above the first part of a section: its heading, if it still has one, else the line before its first block. */
function lineAbove({ headings, blocks }: ParsedDocument, own: readonly Block[]): number {
  const first = Math.min(...own.map(({ from }) => from))
  const before = Math.max(-1, ...blocks.filter(({ to }) => to < first).map(({ to }) => to))
  const heading = headings.findLast(({ level, line }) => level <= 2 && before < line && line < first)
  return heading?.line ?? first - 1
}

function sectionText(section: DocumentSection, lineEnd: string): string {
  const { title, sections } = section.section
  return [`## ${escapeHeading(title)}`, ...sections.map((part) => partText(section, part, lineEnd))].join(
    lineEnd + lineEnd,
  )
}

/** A part with its heading, which later updates do not change. */
function partText(section: DocumentSection, part: Section, lineEnd: string): string {
  const heading = sectionHeading(part)
  const block = partBlock(section, part, lineEnd)
  return heading === null ? block : heading + lineEnd + lineEnd + block
}

function partBlock(section: DocumentSection, { key, blocks }: Omit<Section, 'title'>, lineEnd: string): string {
  const text = blocksMarkdown(blocks, { charts: section.charts })
  return blockText(`${section.section.name}/${key}`, carriedBy(section, key), text, lineEnd)
}

/** The attributes of the section, in the marker of one part of it: that on how it was measured, else the first. */
function carriedBy({ section: { sections }, source, measured }: DocumentSection, key: string): Attributes {
  const last = sections.find((part) => part.key === sectionKeys.measured)
  if (last === undefined) return sections[0]?.key === key ? toSourceAttributes(source) : {}
  return last.key === key ? { ...toSourceAttributes(source), ...measured } : {}
}

const isReplaced = (block: Block): boolean => !isKept(block)

/** Fills the blocks about the document as a whole, if it has them. */
function withOverview(document: ParsedDocument, lineEnd: string): string {
  const textOf = (block: Block): string | null => {
    if (block.name === titleBlock) return titleText(block, document.blocks)
    if (block.name === legendBlock) return legendText(document)
    if (block.name === findingsBlock) return findingsText(document)
    return block.name === contentsBlock ? contentsText(block, document) : null
  }
  const filled = document.blocks.filter(isReplaced).flatMap((block) => {
    const text = textOf(block)
    return text === null ? [] : [{ block, text: blockText(block.name, block.attributes, text, lineEnd) }]
  })
  return withBlocks(document, filled).join('')
}

/** Names of blocks whose part is no longer in the report. */
function goneParts(document: ParsedDocument, section: DocumentSection): readonly string[] {
  const keys = new Set<string>([sectionKeys.warnings, ...section.section.sections.map(({ key }) => key)])
  return selectSectionBlocks(document, section)
    .filter((block) => !block.isEmpty && isReplaced(block) && !keys.has(getBlockKey(block)))
    .map(({ name }) => name)
}

const remarksOn = (emptied: readonly string[], { blocks }: ParsedDocument, file: string): readonly string[] =>
  blocks
    .filter(({ name }) => emptied.includes(name))
    .map(
      ({ name, from }) =>
        `${file}:${from + 1}: ${name} is no longer in its report; delete the empty block and its heading, or keep them in case it returns`,
    )

/** The definitions that the sections of a document need. */
const legendText = ({ lines, blocks }: ParsedDocument): string =>
  createMarkdownLegend(
    blocks
      .filter(({ name }) => !name.startsWith('@'))
      .map(({ from, to }) => lines.slice(from + 1, to).join('\n'))
      .join('\n'),
  )

/** A list of links to the headings of level 2, except the one directly above the list. */
function contentsText(list: Block, { lines, headings }: ParsedDocument): string {
  const anchors = createAnchors(headings)
  return headings
    .map((heading, index) => ({ ...heading, anchor: anchors[index] ?? '' }))
    .filter(({ level, line }) => level === 2 && !isRightAbove(line, list, lines))
    .map(({ text, anchor }) => `- [${linkText(text)}](#${anchor})`)
    .join('\n')
}

function isRightAbove(line: number, { from }: Block, lines: readonly string[]): boolean {
  return line < from && lines.slice(line + 1, from).every((between) => between.trim() === '')
}

/** Author, date and version of a document. Empty if it has no section. */
function titleText({ attributes: { author = '' } }: Block, blocks: readonly Block[]): string {
  const cells = [
    ['**Author**', escapeCell(author)],
    ['**Date**', newest(blocks)],
    ['**Version**', describeVersions(blocks)],
  ].filter(([, value]) => value !== '')
  return cells.length === 0 ? '' : tableOfCells(cells)
}

const collectAttributeValues = (blocks: readonly Block[], attribute: string): readonly string[] =>
  blocks.flatMap(({ attributes }) => attributes[attribute] ?? [])

/** The date of the newest result. */
const newest = (blocks: readonly Block[]): string => collectAttributeValues(blocks, 'measured').toSorted().at(-1) ?? ''

/** The versions of mongo-perf, the number of results, and a hash over them. */
function describeVersions(blocks: readonly Block[]): string {
  const results = new Map(
    blocks.flatMap((block) => {
      const source = parseSource(block)
      return source === null ? [] : [[source.path, source.sha256] as const]
    }),
  )
  if (results.size === 0) return ''
  const tools = [...new Set(collectAttributeValues(blocks, 'version'))].toSorted()
  const hash = computeSourceHash([...results.values()].toSorted().join('\n'))
  return [
    `mongo-perf ${tools.join(' and ')}`,
    `${results.size} ${results.size === 1 ? 'result' : 'results'}`,
    hash,
  ].join(', ')
}
