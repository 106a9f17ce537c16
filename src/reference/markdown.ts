/** Joins the non-empty parts, with empty lines between them. */
export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

/** A left-aligned table, without columns that are empty in every row. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = header.flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []))
  const line = (cells: readonly string[]): string => `| ${used.map((column) => cells[column] ?? '').join(' | ')} |`
  const body = rows.map((row) => line(row.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', '\\|'))))
  return rows.length === 0 ? '' : [line(header), line(header.map(() => '---')), ...body].join('\n')
}

/** A code span, with as many backticks as the text needs. */
export function code(text: string): string {
  const maxRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(maxRun + 1)
  return maxRun === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

/** A code block of JSON. */
export const jsonBlock = (text: string): string => `\`\`\`json\n${text.trimEnd()}\n\`\`\``

/** The anchor that GitHub generates for a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** A link to a heading of the same page. */
export const linkTo = (heading: string, text = heading): string => `[${text}](#${anchorOf(heading)})`
