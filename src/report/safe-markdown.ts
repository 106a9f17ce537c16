import { type CodeFence, endsFence, fenceIn } from './code-fence.ts'

/**
 * Markdown of a spec, made safe to stand in a document: HTML and comments are shown as text, links lead only to pages, files
 * and mail addresses, and code that nothing ends is ended. Other Markdown stays as it is, but for blocks of code that are
 * indented: they are moved to the left, where they cannot belong to a list.
 */
export function safeMarkdown(text: string): string {
  const safe: string[] = []
  let paragraph: string[] = []
  let fence: CodeFence | null = null
  const endParagraph = (): void => {
    if (paragraph.length > 0) safe.push(safeParagraph(paragraph.join('\n')))
    paragraph = []
  }
  for (const line of text.split(/\r\n?|\n/)) {
    if (fence !== null) {
      safe.push(withoutIndent(line, fence.indent))
      if (endsFence(line, fence)) fence = null
      continue
    }
    fence = fenceIn(line)
    if (fence === null && !/^[ \t]*$/.test(line)) {
      paragraph.push(line)
      continue
    }
    endParagraph()
    safe.push(line.trimStart())
  }
  endParagraph()
  if (fence !== null) safe.push(fence.sign.repeat(fence.length))
  return safe.join('\n')
}

const withoutIndent = (line: string, indent: number): string => line.replace(new RegExp(`^ {0,${indent}}`), '')

/** Code that begins and ends in one line, and in one cell of a table: it is code wherever that line stands. */
const code = '(?<!`)(?<ticks>`+)(?!`)[^|\\n]*?[^`|\\n]\\k<ticks>(?!`)'
const escaped = String.raw`\\[!-/:-@[-\`{-~]`
const webAddress = '<https?://[^\\s<>`]*>'
const html = '<(?=[a-z/!?])'
/** What follows `](` or `]:` of a link to the web, to a mail address, or without the colon that ends the name of another scheme. */
const safeTarget = String.raw`[\s>]*(?![\s>])(?:<?(?:https?:|mailto:)|[^\s:&\\<>()]*(?:[\s)/?#]|$))`
const unsafeLink = String.raw`\](?=[(:](?!${safeTarget}))`
const anyOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'gi')
const withCode = anyOf(code, escaped, webAddress, html, unsafeLink)
const withoutCode = anyOf(escaped, webAddress, html, unsafeLink)

/** @param text Lines without an empty one between them. */
function safeParagraph(text: string): string {
  // A backtick that is left alone may pair with any other, and then what looks like code is none.
  const tokens = text.replaceAll(withCode, '').includes('`') ? withoutCode : withCode
  return text.replaceAll(tokens, (token) => (token === '<' || token === ']' ? `\\${token}` : token))
}

/** The same rule for links in a line that is no Markdown of its own, such as a label. */
export const safeLinks = (text: string): string => text.replaceAll(anyOf(unsafeLink), String.raw`\]`)
