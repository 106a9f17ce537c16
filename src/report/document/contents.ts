import { anchorsOf, linkText } from './anchors.ts'
import { type Block } from './markers.ts'
import { type ParsedDocument } from './parse-document.ts'

/** A list of links to the headings of level 2, except the one directly above the list. */
export function contentsText(list: Block, { lines, headings }: ParsedDocument): string {
  const anchors = anchorsOf(headings)
  return headings
    .map((heading, index) => ({ ...heading, anchor: anchors[index] ?? '' }))
    .filter(({ level, line }) => level === 2 && !isRightAbove(line, list, lines))
    .map(({ text, anchor }) => `- [${linkText(text)}](#${anchor})`)
    .join('\n')
}

function isRightAbove(line: number, { from }: Block, lines: readonly string[]): boolean {
  return line < from && lines.slice(line + 1, from).every((between) => between.trim() === '')
}
