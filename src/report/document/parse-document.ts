import { Problem } from '../../core/errors.ts'
import { type CodeFence, endsFence, fenceIn } from '../markdown/code-fence.ts'
import { computeFingerprint } from './block-content.ts'
import { type Block, type Marker, markerIn } from './markers.ts'

/** The parts of a Markdown document that mongo-perf uses. */
export type ParsedDocument = {
  /** Each with its line end. */
  readonly lines: readonly string[]
  readonly blocks: readonly Block[]
  readonly headings: readonly Heading[]
  /** Index of the line that begins an unclosed code fence or comment. Null: there is none. */
  readonly unclosed: number | null
}

/** A heading with number signs (ATX). Underlined headings are ignored. */
export type Heading = {
  /** Index of the line. */
  readonly line: number
  readonly level: number
  /** Markdown. */
  readonly text: string
}

/** A code fence or comment, in which Markdown is not interpreted. */
type Verbatim =
  | { readonly kind: 'comment'; readonly line: number }
  | { readonly kind: 'fence'; readonly line: number; readonly fence: CodeFence }

/**
 * Finds blocks and headings. Markers count only as whole lines outside of code and comments. Only its closing marker ends a block.
 * @param file For messages.
 * @throws {Problem} "document-invalid" if markers do not come in pairs, or a pair occurs twice.
 */
export function parseDocument(text: string, file: string): ParsedDocument {
  const lines = splitIntoLines(text)
  const blocks: Block[] = []
  const headings: Heading[] = []
  let open: Opened | null = null
  let verbatim: Verbatim | null = null
  for (const [index, line] of lines.entries()) {
    const content = removeLineEnd(line)
    const marker = open !== null || verbatim === null ? markerIn(content) : null
    if (marker !== null) {
      if (open === null) open = opened(marker, index, blocks, file)
      else {
        blocks.push(closed(open, marker, index, lines, file))
        open = null
      }
      verbatim = null
      continue
    }
    if (verbatim === null) {
      const heading = headingIn(content)
      if (heading !== null) headings.push({ line: index, ...heading })
    }
    verbatim = verbatim === null ? verbatimFrom(content, index) : endedBy(verbatim, content) ? null : verbatim
  }
  if (open !== null) throw broken(file, open.line, `the marker "${open.name}" is not closed`)
  refuseSectionsTwice(blocks, file)
  return { lines, blocks, headings, unclosed: verbatim?.line ?? null }
}

type Opened = Extract<Marker, { kind: 'opening' }> & { readonly line: number }

function opened(marker: Marker, line: number, blocks: readonly Block[], file: string): Opened {
  if (marker.kind === 'closing') throw broken(file, line, `the closing marker "${marker.name}" has no opening marker`)
  const other = blocks.find(({ name }) => name === marker.name)
  if (other === undefined) return { ...marker, line }
  throw broken(file, line, `the marker "${marker.name}" already occurs in line ${other.from + 1}`)
}

function closed(
  { name, attributes, line }: Opened,
  marker: Marker,
  to: number,
  lines: readonly string[],
  file: string,
): Block {
  if (marker.kind === 'opening')
    throw broken(file, to, `the marker "${marker.name}" opens before "${name}" of line ${line + 1} is closed`)
  if (marker.name !== name)
    throw broken(file, to, `the marker "${marker.name}" closes before "${name}" of line ${line + 1} is closed`)
  return {
    name,
    attributes,
    from: line,
    to,
    isEmpty:
      lines
        .slice(line + 1, to)
        .join('')
        .trim() === '',
  }
}

/** A placeholder for a section that already exists would insert it twice. */
function refuseSectionsTwice(blocks: readonly Block[], file: string): void {
  for (const { name, from } of blocks) {
    const part = blocks.find((other) => other.name.startsWith(`${name}/`))
    if (part !== undefined)
      throw broken(
        file,
        from,
        `the marker "${name}" is a placeholder for a section that already exists in line ${part.from + 1}`,
      )
  }
}

function broken(file: string, line: number, reason: string): Problem {
  return new Problem('document-invalid', `${file}:${line + 1}: ${reason}`, {
    hint: 'Nothing was written. Each block occurs once, between <!-- mongo-perf NAME --> and <!-- /mongo-perf NAME --> on separate lines.',
  })
}

function headingIn(line: string): Pick<Heading, 'level' | 'text'> | null {
  const [, signs, text = ''] = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []
  return signs === undefined ? null : { level: signs.length, text: text.trim() }
}

function verbatimFrom(line: string, index: number): Verbatim | null {
  const fence = fenceIn(line)
  if (fence !== null) return { kind: 'fence', line: index, fence }
  return /^ {0,3}<!--(?!.*-->)/.test(line) ? { kind: 'comment', line: index } : null
}

const endedBy = (verbatim: Verbatim, line: string): boolean =>
  verbatim.kind === 'comment' ? line.includes('-->') : endsFence(line, verbatim.fence)

/** Whether people changed the text of a block since it was written. */
export const isEdited = ({ lines }: ParsedDocument, { attributes: { is }, from, to }: Block): boolean =>
  is !== undefined && computeFingerprint(lines.slice(from + 1, to).join('')) !== is

/** Splits a text into lines that keep their line ends. */
const splitIntoLines = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/))

export const removeLineEnd = (line: string): string => line.replace(/\r?\n$/, '')

/** The line end of a text, taken from its first line. */
export const detectLineEnd = (text: string): string => (/\r?\n/.exec(text) ?? ['\n'])[0]

/** Replaces blocks by other texts. The number of lines stays the same, so that indexes remain valid. */
export function withBlocks(
  { lines }: { readonly lines: readonly string[] },
  filled: readonly { readonly block: { readonly from: number; readonly to: number }; readonly text: string }[],
): readonly string[] {
  const changed = [...lines]
  for (const { block, text } of filled) {
    changed.fill('', block.from, block.to)
    const last = changed[block.to] ?? ''
    changed[block.to] = text + last.slice(removeLineEnd(last).length)
  }
  return changed
}

/**
 * Inserts texts between lines, each with an empty line above it.
 * @param added Texts by the index of the line above them; -1 for the beginning.
 */
export function withAdded(
  lines: readonly string[],
  added: ReadonlyMap<number, readonly string[]>,
  lineEnd: string,
): readonly string[] {
  const follow = (line: string, index: number): string =>
    (added.get(index) ?? []).reduce((so, text) => followedBy(so, text, lineEnd), line)
  return [follow('', -1), ...lines.map(follow)]
}

function followedBy(line: string, text: string, lineEnd: string): string {
  const isWhole = line === '' || line.endsWith('\n')
  if (isWhole && line.trim() === '') return line + text + lineEnd
  return isWhole ? line + lineEnd + text + lineEnd : line + lineEnd + lineEnd + text
}
