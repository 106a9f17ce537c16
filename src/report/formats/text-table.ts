import { fillLines, wrap } from '../charts/drawing/wrap.ts'
import {
  makeReadable,
  type ReadableColumn,
  type ReadableTable,
  transposeReadable,
  trustMarks,
} from '../tables/readable-table.ts'
import { type Table } from '../tables/table.ts'

type TextColumn = {
  readonly title: string
  readonly cells: readonly string[]
  readonly isNumeric: boolean
  readonly width: number
}

const gap = '  '
/** Headings with more lines are harder to read than a wider column. */
const maxHeadingLines = 3

/**
 * Formats a table so that it fits: headings wrap, and so do texts at the end of rows without trust. One that is too wide all the same has a
 * column for each row, or where these have no room either, further blocks with the names of its rows. A column that is wider by itself is not cut.
 * @param width Characters of a line.
 */
export function formatTextTable(table: Table, width: number): string {
  const readable = makeReadable(table)
  const blocks = formatBlocks(readable, width)
  const upright = blocks.length === 1 ? blocks : formatBlocks(transposeReadable(readable), width)
  return (upright.length === 1 ? upright : blocks).join('\n\n')
}

function formatBlocks(readable: ReadableTable, width: number): readonly string[] {
  const marks = readable.rows.map(({ trust }) => (trust === null ? '' : trustMarks[trust.level]).padEnd(1))
  const unbroken = readable.columns.map((column, index) => createTextColumn(readable, column, index))
  const columns = readable.rows.every(({ trust }) => trust === null) ? narrowTexts(unbroken, width) : unbroken
  const names = columns.slice(0, countNames(readable.columns, columns, width / 2))
  const indent = marks.some((mark) => mark.trim() !== '') ? 2 : 0
  const blocks = splitIntoBlocks(columns.slice(names.length), width - indent - totalWidth(names))
  return blocks.map((block) => formatBlock([...names, ...block], indent === 0 ? [] : marks))
}

function createTextColumn({ rows }: ReadableTable, column: ReadableColumn, index: number): TextColumn {
  const { isNumeric, trust } = column
  const mark = trust === null || trustMarks[trust.level] === '' ? '' : `${trustMarks[trust.level]} `
  const title = mark + column.title
  const cells = rows.map((row) => row.cells[index]?.text ?? '')
  const longest = Math.max(...[...cells, ...title.split(' ')].map(countCharacters))
  let width = longest
  while (wrap(title, width).length > maxHeadingLines) width += 1
  return { title, cells, width, isNumeric }
}

/** Narrows the texts behind the numbers so that the table fits, none below its longest word; what the shorter ones leave is for the longer. */
function narrowTexts(columns: readonly TextColumn[], width: number): readonly TextColumn[] {
  const first = Math.max(1, columns.findLastIndex(({ isNumeric }) => isNumeric) + 1)
  const texts = columns.slice(first).toSorted((one, other) => one.width - other.width)
  let room = width + gap.length - totalWidth(columns.slice(0, first))
  const narrowed = texts.map((column, index) => {
    const share = Math.floor(room / (texts.length - index)) - gap.length
    const words = [column.title, ...column.cells].flatMap((text) => fillLines(text, 0))
    const fitting = Math.min(column.width, Math.max(share, ...words.map(countCharacters)))
    room -= fitting + gap.length
    return { ...column, width: fitting }
  })
  return columns.map((column) => narrowed[texts.indexOf(column)] ?? column)
}

/** Number of columns that name a row in each block: those before the first with a unit, as far as there is room. */
function countNames(given: readonly ReadableColumn[], columns: readonly TextColumn[], room: number): number {
  const named = given.findIndex(({ unit }, index) => unit !== '' || totalWidth(columns.slice(0, index + 1)) > room)
  return Math.max(1, named)
}

const totalWidth = (columns: readonly TextColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width + gap.length, 0)

function splitIntoBlocks(columns: readonly TextColumn[], room: number): readonly (readonly TextColumn[])[] {
  const blocks: TextColumn[][] = [[]]
  for (const column of columns) {
    const block = blocks.at(-1) ?? []
    if (block.length === 0 || totalWidth([...block, column]) - gap.length <= room) block.push(column)
    else blocks.push([column])
  }
  return blocks
}

function formatBlock(columns: readonly TextColumn[], marks: readonly string[]): string {
  // At the bottom, beside the values.
  const heads = layLines(columns.map(({ title, width }) => wrap(title, width).toReversed())).toReversed()
  const rows = (columns[0]?.cells ?? []).flatMap((_, row) => {
    const lines = layLines(columns.map(({ cells, width }) => breakCell(cells[row] ?? '', width)))
    return lines.map((cells, line) => ({ cells, mark: line === 0 ? marks[row] : ' ' }))
  })
  const rule = columns.map(({ width }) => '─'.repeat(width))
  return [...[...heads, rule].map((cells) => ({ cells, mark: ' ' })), ...rows]
    .map(({ cells, mark }) => {
      const marked = marks.length === 0 ? '' : `${mark} `
      return `${marked}${cells.map((cell, index) => pad(cell, columns[index])).join(gap)}`.trimEnd()
    })
    .join('\n')
}

const breakCell = (cell: string, width: number): readonly string[] =>
  countCharacters(cell) <= width ? [cell] : fillLines(cell, width)

/** Lays the lines of several cells beside each other. */
const layLines = (cells: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
    cells.map((lines) => lines[line] ?? ''),
  )

function pad(cell: string, column: TextColumn | undefined): string {
  const spaces = ' '.repeat(Math.max(0, (column?.width ?? 0) - countCharacters(cell)))
  return column?.isNumeric === true ? spaces + cell : cell + spaces
}

const countCharacters = (text: string): number => [...text].length
