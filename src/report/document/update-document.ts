import { Problem } from '../../core/errors.ts'
import { type ReportTree, type Section } from '../blocks/block.ts'
import { sectionKeys } from '../blocks/section-keys.ts'
import { escapeHeading } from '../markdown/escape.ts'
import { blocksMarkdown, sectionHeading } from '../markdown/render.ts'
import { readLayout } from './layout.ts'
import { type Attributes, blockText, contentsBlock, legendBlock, sharedSettingsBlock, titleBlock } from './markers.ts'
import { withOverview } from './overview.ts'
import {
  type Block,
  blocksIn,
  type Document,
  findBlock,
  insertAfter,
  isKept,
  isOmitted,
  getLine,
  parseDocument,
  partsIn,
  print,
  replaceBlocks,
} from './parse-document.ts'
import { withSharedSettings } from './shared-settings.ts'
import { listEdited, refuseOtherResult, type Source, toSourceAttributes } from './sources.ts'

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
  const before = parseDocument(text, file)
  const layout = readLayout(before)
  const emptied: string[] = []
  let document = before
  for (const section of sections) {
    refuseOtherResult(document, section.section.name, section.source)
    emptied.push(...goneParts(document, section))
    document = withSection(document, section)
  }
  const updated = withOverview(withSharedSettings(document, layout))
  const names = sections.map(({ section }) => section.name)
  return { text: print(updated.nodes), replaced: listEdited(before, names), remarks: remarksOn(emptied, updated) }
}

function withSection(document: Document, section: DocumentSection): Document {
  const { name } = section.section
  if (findBlock(document, name) !== undefined)
    return replaceBlocks(document, (block) => (block.name === name ? sectionText(section, document) : null))
  if (partsIn(document, name).length > 0) return withParts(document, section)
  if (document.unclosed === null)
    return insertAfter(document, document.nodes.length - 1, sectionText(section, document))
  throw new Problem(
    'document-invalid',
    `${document.file}:${document.unclosed}: the code block or comment that begins here is not closed, so no section can follow it`,
    { hint: 'Nothing was written. Close the code block or the comment.' },
  )
}

/** Fills the blocks of a section, empties those of removed parts, and adds new ones after the part that precedes them in the report. */
function withParts(document: Document, section: DocumentSection): Document {
  const { name, sections: parts } = section.section
  const own = partsIn(document, name)
  let updated = replaceBlocks(document, (block) => {
    if (isKept(block) || !own.includes(block)) return null
    const key = getBlockKey(block)
    if (isOmitted(block)) return blockText(block.name, { ...carriedBy(section, key), omit: '' }, '', document.lineEnd)
    return partBlock(section, parts.find((one) => one.key === key) ?? { key, blocks: [] }, document)
  })
  let above = indexAbove(document, own[0])
  for (const part of parts) {
    const block = findBlock(updated, `${name}/${part.key}`)
    if (block === undefined) {
      const { nodes } = updated
      updated = insertAfter(updated, above, partText(section, part, document))
      above += updated.nodes.length - nodes.length
    } else above = updated.nodes.indexOf(block)
  }
  return updated
}

const getBlockKey = ({ name }: Block): string => name.slice(name.indexOf('/') + 1)

/** The place above the first part of a section: its heading, if it still has one, else the line before. */
function indexAbove({ nodes }: Document, first: Block | undefined): number {
  const index = nodes.findIndex((node) => node === first)
  const above = nodes
    .slice(0, index)
    .findLastIndex((node) => node.kind === 'block' || (node.heading !== null && node.heading.level <= 2))
  return nodes[above]?.kind === 'line' ? above : index - 1
}

function sectionText(section: DocumentSection, document: Document): string {
  const { title, sections } = section.section
  const parts = sections.map((part) => partText(section, part, document))
  return [`## ${escapeHeading(title)}`, ...parts].join(document.lineEnd + document.lineEnd)
}

/** A part with its heading, which later updates do not change. */
function partText(section: DocumentSection, part: Section, document: Document): string {
  const heading = sectionHeading(part)
  const block = partBlock(section, part, document)
  return heading === null ? block : heading + document.lineEnd + document.lineEnd + block
}

function partBlock(section: DocumentSection, { key, blocks }: Omit<Section, 'title'>, { lineEnd }: Document): string {
  const text = blocksMarkdown(blocks, { charts: section.charts })
  return blockText(`${section.section.name}/${key}`, carriedBy(section, key), text, lineEnd)
}

/** The attributes of the section, in the marker of one part of it: that on how it was measured, else the first. */
function carriedBy({ section: { sections }, source, measured }: DocumentSection, key: string): Attributes {
  const last = sections.find((part) => part.key === sectionKeys.measured)
  if (last === undefined) return sections[0]?.key === key ? toSourceAttributes(source) : {}
  return last.key === key ? { ...toSourceAttributes(source), ...measured } : {}
}

/** Names of blocks whose part is no longer in the report. */
function goneParts(document: Document, { section }: DocumentSection): readonly string[] {
  const keys = new Set<string>([sectionKeys.warnings, ...section.sections.map(({ key }) => key)])
  return partsIn(document, section.name)
    .filter((block) => print(block.lines).trim() !== '' && !isKept(block) && !keys.has(getBlockKey(block)))
    .map(({ name }) => name)
}

const remarksOn = (emptied: readonly string[], document: Document): readonly string[] =>
  blocksIn(document)
    .filter(({ name }) => emptied.includes(name))
    .map(
      (block) =>
        `${document.file}:${getLine(document, block)}: ${block.name} is no longer in its report; delete the empty block and its heading, or keep them in case it returns`,
    )
