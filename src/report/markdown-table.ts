import { safeLinks } from './safe-markdown.ts'

/** Right-aligned as the published tables are, padded so that the source reads well in a terminal too. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [header, ...rows].map((row) => row.map(escapeCell))
  const widths = header.map((_, column) => Math.max(4, ...cells.map((row) => lengthOf(row[column] ?? ''))))
  const [head = [], ...body] = cells.map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0)))
  const rule = widths.map((width) => `${'-'.repeat(width - 1)}:`)
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Keeps a cell one cell, and text text: no pipes, line breaks or HTML of its own. */
function escapeCell(text: string): string {
  return escapeText(text).replaceAll('|', '\\|')
}

/** For a line of prose that somebody else wrote: an error message, a label. */
export const escapeText = (text: string): string => safeLinks(escapeSigns(text))

/** For the text of a link or of an image. */
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
