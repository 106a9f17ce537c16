import { Problem } from '../../core/errors.ts'
import { type CodeFence, endsFence, fenceIn } from '../markdown/code-fence.ts'
import { type Attributes, computeFingerprint, type Marker, markerIn } from './markers.ts'

/** A Markdown document as nodes, whose texts make up its text. */
export type Document = {
  /** For messages. */
  readonly file: string
  readonly lineEnd: string
  readonly nodes: readonly Node[]
  /** The line that begins an unclosed code fence or comment, from 1. Null: there is none. */
  readonly unclosed: number | null
}

export type Node = Line | Block

/** The text of a document, byte for byte, and the line end after it, which the last one may lack. */
type Text = { readonly text: string; readonly end: string }

export type Line = Text & { readonly kind: 'line'; readonly heading: Heading | null }

/** A heading with number signs (ATX). Underlined headings are ignored. */
export type Heading = {
  readonly level: number
  /** Markdown. */
  readonly text: string
}

/** A pair of HTML comments and the lines between them. */
export type Block = Text & {
  readonly kind: 'block'
  /** "insert-batch-size/performance"; "insert-batch-size" for a placeholder of a whole section; "@contents". */
  readonly name: string
  readonly attributes: Attributes
  readonly lines: readonly Line[]
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
export function parseDocument(text: string, file: string): Document {
  const nodes: Node[] = []
  let open: Opened | null = null
  let verbatim: Verbatim | null = null
  for (const [index, whole] of splitIntoLines(text).entries()) {
    const line = index + 1
    const content = whole.replace(/\r?\n$/, '')
    const end = whole.slice(content.length)
    const marker = open !== null || verbatim === null ? markerIn(content) : null
    if (marker === null) {
      const heading = verbatim === null ? headingIn(content) : null
      const lines: Node[] = open?.lines ?? nodes
      lines.push({ kind: 'line', text: content, end, heading })
      verbatim = verbatim === null ? verbatimFrom(content, line) : endedBy(verbatim, content) ? null : verbatim
      continue
    }
    verbatim = null
    if (open === null) open = opened(marker, { whole, line, nodes, file })
    else {
      refuseOther(marker, open, file, line)
      const { name, attributes, lines } = open
      nodes.push({ kind: 'block', name, attributes, lines, text: open.whole + print(lines) + content, end })
      open = null
    }
  }
  if (open !== null) throw broken(file, open.line, `the marker "${open.name}" is not closed`)
  refuseSectionsTwice(nodes, file)
  return { file, lineEnd: /\r?\n/.exec(text)?.[0] ?? '\n', nodes, unclosed: verbatim?.line ?? null }
}

const splitIntoLines = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/))

type Opened = Extract<Marker, { kind: 'opening' }> & {
  readonly whole: string
  readonly line: number
  readonly lines: Line[]
}

type Opening = Pick<Opened, 'whole' | 'line'> & Pick<Document, 'nodes' | 'file'>

function opened(marker: Marker, { whole, line, nodes, file }: Opening): Opened {
  if (marker.kind === 'closing') throw broken(file, line, `the closing marker "${marker.name}" has no opening marker`)
  const other = findBlock({ nodes }, marker.name)
  if (other === undefined) return { ...marker, whole, line, lines: [] }
  throw broken(file, line, `the marker "${marker.name}" already occurs in line ${getLine({ nodes }, other)}`)
}

function refuseOther(marker: Marker, { name, line }: Opened, file: string, at: number): void {
  if (marker.kind === 'closing' && marker.name === name) return
  const does = marker.kind === 'opening' ? 'opens' : 'closes'
  throw broken(file, at, `the marker "${marker.name}" ${does} before "${name}" of line ${line} is closed`)
}

/** A placeholder for a section that already exists would insert it twice. */
function refuseSectionsTwice(nodes: readonly Node[], file: string): void {
  for (const block of blocksIn({ nodes })) {
    const [part] = partsIn({ nodes }, block.name)
    if (part === undefined) continue
    const existing = `is a placeholder for a section that already exists in line ${getLine({ nodes }, part)}`
    throw broken(file, getLine({ nodes }, block), `the marker "${block.name}" ${existing}`)
  }
}

function broken(file: string, line: number, reason: string): Problem {
  return new Problem('document-invalid', `${file}:${line}: ${reason}`, {
    hint: 'Nothing was written. Each block occurs once, between <!-- mongo-perf NAME --> and <!-- /mongo-perf NAME --> on separate lines.',
  })
}

function headingIn(line: string): Heading | null {
  const [, signs, text = ''] = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []
  return signs === undefined ? null : { level: signs.length, text: text.trim() }
}

function verbatimFrom(content: string, line: number): Verbatim | null {
  const fence = fenceIn(content)
  if (fence !== null) return { kind: 'fence', line, fence }
  return /^ {0,3}<!--(?!.*-->)/.test(content) ? { kind: 'comment', line } : null
}

const endedBy = (verbatim: Verbatim, content: string): boolean =>
  verbatim.kind === 'comment' ? content.includes('-->') : endsFence(content, verbatim.fence)

type Nodes = Pick<Document, 'nodes'>

export const blocksIn = ({ nodes }: Nodes): readonly Block[] => nodes.filter((node) => node.kind === 'block')

export const findBlock = (document: Nodes, name: string): Block | undefined =>
  blocksIn(document).find((block) => block.name === name)

export const partsIn = (document: Nodes, section: string): readonly Block[] =>
  blocksIn(document).filter(({ name }) => name.startsWith(`${section}/`))

export const getSection = ({ name }: Block): string => name.replace(/\/.*/, '')

/** The names of the sections and placeholders of a document, in order. */
export const sectionNames = (document: Document): readonly string[] =>
  [...new Set(blocksIn(document).map(getSection))].filter((name) => !name.startsWith('@'))

/** Whether people want a block to stay as it is. */
export const isKept = ({ attributes }: Block): boolean => 'keep' in attributes

/** Whether people want a block to stay empty. */
export const isOmitted = ({ attributes }: Block): boolean => 'omit' in attributes

/** Whether people changed the text of a block since it was written. */
export const isEdited = ({ attributes: { is }, lines }: Block): boolean =>
  is !== undefined && computeFingerprint(print(lines)) !== is

/** The text of nodes, such as those of a document. */
export const print = (nodes: readonly Text[]): string => nodes.map(({ text, end }) => text + end).join('')

/** The number of the line in which a node begins, from 1. */
export const getLine = ({ nodes }: Nodes, node: Node): number =>
  print(nodes.slice(0, nodes.indexOf(node))).split('\n').length

/** A document with other texts instead of blocks, before the line ends that these have. Null: a block stays. */
export const replaceBlocks = (document: Document, textOf: (block: Block) => string | null): Document => ({
  ...document,
  nodes: document.nodes.flatMap((node) => {
    const text = node.kind === 'block' ? textOf(node) : null
    return text === null ? [node] : parseDocument(text + node.end, document.file).nodes
  }),
})

/**
 * A document with a text between two nodes, and an empty line above it.
 * @param index That of the node above it; -1 for the beginning.
 */
export function insertAfter(document: Document, index: number, text: string): Document {
  const { file, lineEnd, nodes } = document
  const { text: above, end } = nodes[index] ?? { text: '', end: lineEnd }
  const isWhole = end !== ''
  const between = isWhole && above.trim() === '' ? '' : isWhole ? lineEnd : lineEnd + lineEnd
  const added = parseDocument(between + text + (isWhole ? lineEnd : ''), file)
  return { ...document, nodes: nodes.toSpliced(index + 1, 0, ...added.nodes) }
}
