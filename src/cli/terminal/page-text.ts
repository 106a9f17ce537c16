import { fillText, plainLine, spaced, type TextLine } from '../../report/formats/text-blocks.ts'

/** A part of a page: code with its fence, a table, or lines up to the next empty one. */
const part = /^```[\s\S]*?^```$|^\|.*(?:\n\|.*)*|^.+(?:\n(?!```|\|).+)*/gm

/** Formats a page of the documentation for a terminal: its Markdown without what only a browser shows. */
export function formatPage(markdown: string, columns: number): readonly TextLine[] {
  const parts = markdown.replaceAll(/^<!--.*-->\n|^<\/?details>\n|<\/?summary>/gm, '').match(part) ?? []
  return parts.flatMap((text) => spaced(formatPart(text, columns))).slice(0, -1)
}

function formatPart(text: string, columns: number): readonly TextLine[] {
  if (text.startsWith('```'))
    return [
      plainLine(
        text
          .replaceAll(/^```.*\n?/gm, '')
          .replaceAll(/^(?=.)/gm, '    ')
          .trimEnd(),
      ),
    ]
  if (text.startsWith('|')) return formatTable(text.split('\n'), columns)
  if (text.startsWith('#')) return [{ text: toPlain(text.replace(/^#+ /, '')), style: 'title' }]
  // What follows a marker of a list is one item, up to the next marker.
  return text.split(/\n(?=\s*(?:-|\d+\.) )/).map((item) => {
    const [marker = ''] = /^\s*(?:(?:-|\d+\.) )?/.exec(item) ?? []
    const words = toPlain(item.slice(marker.length).replaceAll(/\s*\n\s*/g, ' '))
    return plainLine(`${marker}${fillText(words, columns, marker.length)}`)
  })
}

/** Formats a table as it is, or each row as its first cell with the others below where it is too wide. */
function formatTable(lines: readonly string[], columns: number): readonly TextLine[] {
  const plain = lines.map(toPlain)
  if (plain.every(({ length }) => length <= columns)) return plain.map(plainLine)
  const [heads = [], , ...rows] = plain.map(splitCells)
  return rows.flatMap(([name = '', ...cells]) => {
    const labels = cells.length === 1 ? [''] : heads.slice(1).map((head) => `${head}: `)
    const below = cells.map((cell, at) =>
      cell === '' ? [] : plainLine(`    ${fillText(`${labels[at]}${cell}`, columns, 4)}`),
    )
    return [{ text: name, style: 'figure' as const }, below.flat()].flat()
  })
}

const splitCells = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'))

/** Leaves the words of a text. Links name what they lead to; those within a page only have their words. */
const toPlain = (text: string): string =>
  text
    .replaceAll(/<picture>.*?alt="([^"]*)".*?<\/picture>/g, 'Picture: $1')
    .replaceAll(/\[(`[^`]+`|[^\]]+)\]\(#[^)]*\)/g, '$1')
    .replaceAll(/\[(`[^`]+`|[^\]]+)\]\(([\w-]+)\.md(?:#[^)]*)?\)/g, '$1 (mongo-perf help $2)')
    .replaceAll(/\[(`[^`]+`|[^\]]+)\]\(([^)]*)\)/g, '$1 ($2)')
    .replaceAll('**', '')
    .replaceAll(/`+ ?([^`]*?) ?`+/g, '$1')
