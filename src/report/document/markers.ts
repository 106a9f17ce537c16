import { createHash } from 'node:crypto'
import { type CodeFence, endsFence, fenceIn } from '../markdown/code-fence.ts'

/** Written as `name="value"` in the opening marker, `keep` and `omit` as words, with HTML entities for quotation marks and `>`, and with spaces for line breaks. */
export type Attributes = Readonly<Record<string, string>>

/** Name of the block with author, date and version. */
export const titleBlock = '@title'
/** Name of the block with the table of contents. */
export const contentsBlock = '@contents'
/** Name of the block with the definitions of words in the sections. */
export const legendBlock = '@legend'
/** Name of the block with a table of what the sections found out. */
export const findingsBlock = '@findings'
/** Name of the block with the settings that all sections share. */
export const sharedSettingsBlock = '@base-instance'

/** A line that is the opening or closing marker of a block. */
export type Marker =
  | { readonly kind: 'opening'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'closing'; readonly name: string }

const name = String.raw`(@[a-z-]+|[a-z0-9-]+(?:/[a-z0-9-]+)?)`
const opening = new RegExp(
  String.raw`^ {0,3}<!--\s*mongo-perf\s+${name}((?:\s+(?:keep|omit|[a-z0-9]+="[^">]*"))*)\s*-->\s*$`,
)
const closing = new RegExp(String.raw`^ {0,3}<!--\s*/mongo-perf\s+${name}\s*-->\s*$`)

/** The marker in a line, or null. A line indented by four spaces is code, not an HTML comment. */
export function markerIn(line: string): Marker | null {
  const [, opened, attributes = ''] = opening.exec(line) ?? []
  if (opened !== undefined) return { kind: 'opening', name: opened, attributes: attributesIn(attributes) }
  const [, closed] = closing.exec(line) ?? []
  return closed === undefined ? null : { kind: 'closing', name: closed }
}

function attributesIn(text: string): Attributes {
  return Object.fromEntries(
    [...text.matchAll(/([a-z0-9]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, withoutEntities(value)]),
  )
}

/** The ampersand first, because the others contain one. */
const entities = [
  ['&', '&amp;'],
  ['"', '&quot;'],
  ['>', '&gt;'],
] as const

const withEntities = (value: string): string =>
  entities.reduce((so, [sign, entity]) => so.replaceAll(sign, entity), value.replaceAll(/\s*[\r\n]+\s*/g, ' '))

const withoutEntities = (value: string): string =>
  entities.toReversed().reduce((so, [sign, entity]) => so.replaceAll(entity, sign), value)

const formatAttribute = ([key, value]: readonly [string, string]): string =>
  key === 'keep' || key === 'omit' ? ` ${key}` : ` ${key}="${withEntities(value)}"`

/**
 * A block with its markers, without a line end after it. The attribute `is` of a part of a section is the fingerprint of its text, by which edits are noticed.
 * @param text Markdown. Lines that look like markers are indented, so that they are not read as markers.
 * @param wasEdited Whether the text comes from an edited block, which keeps its fingerprint.
 */
export function blockText(
  block: string,
  { is = '', ...attributes }: Attributes,
  text: string,
  lineEnd: string,
  wasEdited = false,
): string {
  const lines =
    text === ''
      ? []
      : withoutPadding(text.replaceAll(/\r\n?/g, '\n').split('\n')).map((line) =>
          markerIn(line) === null ? line : `    ${line}`,
        )
  const fingerprint = wasEdited ? is : computeFingerprint(lines.join('\n'))
  // Blocks about the document change with any of its sections.
  const isMarked = lines.length > 0 && !block.startsWith('@')
  const given = Object.entries({ ...(isMarked ? { is: fingerprint } : {}), ...attributes }).map(formatAttribute)
  return [`<!-- mongo-perf ${block}${given.join('')} -->`, ...lines, `<!-- /mongo-perf ${block} -->`].join(lineEnd)
}

/** Tables lose their padding: a document is read as a page, and differs only in what has changed. */
function withoutPadding(lines: readonly string[]): readonly string[] {
  let fence: CodeFence | null = null
  return lines.map((line) => {
    const isCode = fence !== null
    fence = fence === null ? fenceIn(line) : endsFence(line, fence) ? null : fence
    return isCode || !line.startsWith('|') ? line : withoutSpaces(line)
  })
}

const isRule = (line: string): boolean => /^[|:\s-]+$/.test(line)

const withoutSpaces = (line: string): string =>
  (isRule(line) ? line.replaceAll(/-+/g, '-') : line).replaceAll(spacesAround, '|')

/** A line of a table begins with a sign of this kind; in its cells they are escaped. */
const spacesAround = /(?<!\\) *\| */g

/** Hexadecimal digits of a fingerprint. */
const keptDigits = 8

/** A short hash of Markdown by which an edit is noticed. What formatters do to tables, white space and line ends is none. */
export const computeFingerprint = (text: string): string =>
  createHash('sha256')
    .update(text.replaceAll(/\s+/g, ' ').replaceAll(/-{2,}/g, '-').replaceAll(spacesAround, '|').trim())
    .digest('hex')
    .slice(0, keptDigits)
