/** Joins the non-empty parts, with empty lines between them. */
export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

/** Characters of a cell: what is longer is read below its table. */
export const maxCellLength = 160

/** A left-aligned table, and below it what else the text of a row says that is too long for it. */
export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  paragraphs(
    tableOnly(
      header,
      rows.map((row) => row.map(brief)),
    ),
    ...listLongTexts(rows),
  )

const isLong = (cell: string): boolean => cell.length > maxCellLength

const splitSentences = (text: string): readonly string[] => text.split(/(?<=\.)\s+(?=["`A-Z{[])/)

/** End of a clause, outside of brackets, after enough of it to be a sentence. */
const endOfClause = /(?<=^[^()]{15,}(?:\([^()]*\)[^()]*)*)(?:[:;]| \()\s*(?=\S)/

/** Shortens a text that is too long for a cell. */
export const brief = (text: string): string => (isLong(text) ? shortenText(text) : text)

/** The first sentence of a text, or the first clause of that. Lists of words have neither. */
export function shortenText(text: string): string {
  const [sentence = ''] = splitSentences(text)
  if (!isLong(sentence)) return sentence
  const [clause = ''] = sentence.split(endOfClause)
  return isLong(clause) ? 'See below.' : `${clause}.`
}

/** The long texts of rows under their names, without what their cells show. Neighbours with the same text share it. */
function listLongTexts(rows: readonly (readonly string[])[]): readonly string[] {
  const found: { readonly names: string[]; readonly text: string }[] = []
  for (const [name = '', ...cells] of rows) {
    const text = longTexts(name, cells)
    const last = found.at(-1)
    if (text !== '' && last?.text === text) last.names.push(name)
    else if (text !== '') found.push({ names: [name], text })
  }
  return found.map(({ names, text }) => paragraphs(`**${names.join(', ')}**`, text))
}

/** A row that links to a section has its long texts there. */
function longTexts(name: string, cells: readonly string[]): string {
  const items = cells
    .filter(isLong)
    .flatMap((cell) => splitSentences(cell).filter((text) => text !== shortenText(cell)))
  return name.startsWith('[') ? '' : bulleted(items)
}

const bulleted = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** A paragraph, or what is too long for one as a list of its sentences. */
export const prose = (text: string): string => (isLong(text) ? bulleted(splitSentences(text)) : text)

/** A table without columns that are empty in every row. */
function tableOnly(header: readonly string[], rows: readonly (readonly string[])[]): string {
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
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** A link to a heading of the same page. */
export const linkTo = (heading: string, text = heading): string => `[${text}](#${toAnchor(heading)})`
