import { anchorsOf, linkText } from './anchors.ts'
import { type Block } from './markers.ts'
import { type ParsedDocument } from './parse-document.ts'

/** Links to the headings of level 2, but for the one that stands right above the list. */
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
