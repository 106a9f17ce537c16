export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

/** Left-aligned; columns that are empty in every row are left out. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = header.flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []))
  const line = (cells: readonly string[]): string => `| ${used.map((column) => cells[column] ?? '').join(' | ')} |`
  const body = rows.map((row) => line(row.map((cell) => cell.replaceAll('\n', ' ').replaceAll('|', '\\|'))))
  return rows.length === 0 ? '' : [line(header), line(header.map(() => '---')), ...body].join('\n')
}

/** Text as it stands, between as many backticks as it needs. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

export const jsonBlock = (text: string): string => `\`\`\`json\n${text.trimEnd()}\n\`\`\``

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

export const linkTo = (heading: string, text = heading): string => `[${text}](#${anchorOf(heading)})`
