import { safeLinks } from './safe-markdown.ts'

/** A right-aligned table like the published ones, padded so that it is readable in a terminal. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableOfCells([header, ...rows].map((row) => row.map(escapeCell)))
}

/** A table of cells that are Markdown already: the first row is the header. */
export function tableOfCells(cells: readonly (readonly string[])[]): string {
  const [header = []] = cells
  const widths = header.map((_, column) => Math.max(4, ...cells.map((row) => lengthOf(row[column] ?? ''))))
  const [head = [], ...body] = cells.map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0)))
  const rule = widths.map((width) => `${'-'.repeat(width - 1)}:`)
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Escapes pipes, line breaks and HTML in a cell. */
export function escapeCell(text: string): string {
  return escapeText(text).replaceAll('|', '\\|')
}

/** Escapes a line of foreign text, such as an error message or a label. */
export const escapeText = (text: string): string => safeLinks(escapeSigns(text))

/** Escapes the text of a link or an image. */
export const escapeLinkText = (text: string): string => escapeSigns(text).replaceAll(/[[\]]/g, String.raw`\$&`)

const escapeSigns = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll(/<(?=[a-z/!?])/gi, '\\<')

function padded(cell: string, width: number): string {
  return ' '.repeat(Math.max(0, width - lengthOf(cell))) + cell
}

function lengthOf(text: string): number {
  return [...text].length
}
