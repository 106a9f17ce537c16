import { sectionKeys } from '../blocks/section-keys.ts'
import { escapeCell } from '../markdown/escape.ts'
import { safeCell } from '../markdown/safe-markdown.ts'
import { tableOfCells } from '../markdown/table.ts'
import { type ReportFinding } from '../prose/finding.ts'
import { type Attributes } from './markers.ts'
import { type Heading, type ParsedDocument } from './parse-document.ts'

/** A finding as attributes of the block on how its section was measured, from which later updates read it. */
export const findingAttributes = (finding: ReportFinding | null): Attributes =>
  finding === null ? {} : { finding: finding.text, ratio: finding.ratio, limit: finding.limitedBy }

/** A table of what the sections found out, in their order, with links to them. Empty if none names a finding. */
export function findingsText({ blocks, headings }: ParsedDocument): string {
  const anchors = createAnchors(headings)
  const lines = blocks.flatMap(({ name, from, attributes: { finding, ratio = '', limit = '' } }) => {
    if (finding === undefined || !name.endsWith(`/${sectionKeys.measured}`)) return []
    const heading = headings.findLastIndex(({ level, line }) => level <= 2 && line < from)
    const text = safeCell(finding)
    return [[heading < 0 ? text : `[${linkText(text)}](#${anchors[heading]})`, escapeCell(ratio), escapeCell(limit)]]
  })
  return lines.length === 0 ? '' : tableOfCells([['What is compared', 'Ratio', 'Limited by'], ...lines])
}

/** The anchors that GitHub generates for headings, in order: "resource-usage-1" for the second of that name. */
export function createAnchors(headings: readonly Heading[]): readonly string[] {
  const times = new Map<string, number>()
  return headings.map(({ text }) => {
    const plain = anchorText(text)
    let anchor = plain
    while (times.has(anchor)) {
      const next = (times.get(plain) ?? 0) + 1
      times.set(plain, next)
      anchor = `${plain}-${next}`
    }
    times.set(anchor, 0)
    return anchor
  })
}

/** Letters, digits, underscores and hyphens of the shown text, in lower case, with hyphens instead of spaces. */
const anchorText = (text: string): string =>
  shownText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** Text without the Markdown of links, HTML tags and emphasis. */
function shownText(text: string): string {
  return outsideOfCode(text, (part) =>
    withoutLinks(part)
      .replaceAll(/(?<!\\)<\/?[a-z][^>]*>/gi, '')
      .replaceAll(/(?<![\p{L}\p{N}\\])(_+)(?=\S)(.*?[^\s\\])\1(?![\p{L}\p{N}])/gu, '$2'),
  )
}

/** Replaces links and images by their text. */
const withoutLinks = (text: string): string =>
  text.replaceAll(/!?(?<!\\)\[([^[\]]*)(?<!\\)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')

/** Text for use inside of a link: without links, and with escaped brackets. */
export const linkText = (text: string): string =>
  outsideOfCode(text, (part) => withoutLinks(part).replaceAll(/(?<!\\)[[\]]/g, String.raw`\$&`))

/** Changes the text between code spans. */
function outsideOfCode(text: string, change: (part: string) => string): string {
  return text
    .split(/((?<!\\)`[^`]+`)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
