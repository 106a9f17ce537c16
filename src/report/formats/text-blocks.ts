import { type Block, type BlockRenderers, type Emphasis, renderBlock } from '../blocks/block.ts'
import { fillLines } from '../charts/drawing/wrap.ts'
import { makeReadable } from '../tables/readable-table.ts'
import { formatTextTable } from './text-table.ts'

/** The meaning of a text, for its colour, which is never the only sign of it. */
export type TextStyle = 'plain' | 'title' | 'figure' | 'good' | 'bad' | 'aside' | 'code'

/** A line of a text for a terminal, or a few that belong together. */
export type TextLine = {
  readonly text: string
  readonly style: TextStyle
  /** The file that it names, as a link of the terminal. Default: none. */
  readonly file?: string
}

/** A line without a meaning of its own. */
export const plainLine = (text: string): TextLine => ({ text, style: 'plain' })

/** Breaks a text to a width, the lines after the first indented. */
export const fillText = (text: string, columns: number, indent = 0): string =>
  fillLines(text, columns - indent).join(`\n${' '.repeat(indent)}`)

const emphasized: Readonly<Record<Emphasis, TextStyle>> = { none: 'plain', strong: 'figure', aside: 'aside' }

/** Formats blocks for a terminal, with an empty line between them. Charts and what is folded are left to the other formats. */
export const formatTextBlocks = (blocks: readonly Block[], columns: number): readonly TextLine[] =>
  blocks.flatMap((block, index) => {
    const lines = renderBlock(renderers, block, columns)
    return introduces(block, blocks[index + 1]) ? lines : spaced(lines)
  })

/** Whether a paragraph belongs to the text below it, as the answer does and what a list begins with. */
const introduces = (block: Block, next: Block | undefined): boolean =>
  block.kind === 'paragraph' && (next?.kind === 'list' || (next?.kind === 'paragraph' && block.emphasis === 'strong'))

/** Lines with an empty one behind them, if there are any. */
export const spaced = (lines: readonly TextLine[]): readonly TextLine[] =>
  lines.length === 0 ? [] : lines.concat(plainLine(''))

const renderers: BlockRenderers<readonly TextLine[], [columns: number]> = {
  paragraph: ({ text, emphasis }, columns) => [{ text: fillText(text, columns), style: emphasized[emphasis] }],
  warning: ({ label, text }, columns) => [
    { text: `! ${fillText(label === null ? text : `${label}: ${text}`, columns, 2)}`, style: 'bad' },
  ],
  list: ({ items }, columns) => items.map((item) => plainLine(`- ${fillText(item, columns, 2)}`)),
  table({ table }, columns) {
    const remarks = makeReadable(table).remarks.map((text) => fillText(text, columns))
    return [formatTextTable(table, columns), ...remarks].map(plainLine)
  },
  prose: ({ markdown }) => [plainLine(markdown.trim())],
  code: ({ text }) => [{ text, style: 'code' }],
  trust: () => [],
  chart: () => [],
  folded: () => [],
}
