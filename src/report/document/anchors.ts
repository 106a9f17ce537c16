import { type Heading } from './parse-document.ts'

/** The anchors that GitHub generates for headings, in order: "resource-usage-1" for the second of that name. */
export function anchorsOf(headings: readonly Heading[]): readonly string[] {
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
