import { type Heading } from './parse-document.ts'

/** The anchors that GitHub gives to headings, in their order: "resource-usage-1" for the second of that name. */
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

/** Letters, digits, underscores and hyphens of what is shown, in small letters; each blank is a hyphen. */
const anchorText = (text: string): string =>
  shownText(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** Without the signs that make it bold, code or a link. */
function shownText(text: string): string {
  return outsideOfCode(text, (part) =>
    withoutLinks(part)
      .replaceAll(/(?<!\\)<\/?[a-z][^>]*>/gi, '')
      .replaceAll(/(?<![\p{L}\p{N}])(_+)(?=\S)(.*?\S)\1(?![\p{L}\p{N}])/gu, '$2'),
  )
}

/** Of links and images, what is shown. */
const withoutLinks = (text: string): string => text.replaceAll(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')

/** As the text of a link: no links in it, and no brackets that would end it. */
export const linkText = (text: string): string =>
  outsideOfCode(text, (part) => withoutLinks(part).replaceAll(/(?<!\\)[[\]]/g, String.raw`\$&`))

/** Changes what stands between code spans. */
function outsideOfCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}
