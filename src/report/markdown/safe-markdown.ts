import { type CodeFence, endsFence, fenceIn } from './code-fence.ts'

/**
 * Makes the Markdown of a spec safe for a document: it escapes HTML and comments, allows links only to web pages, files and
 * mail addresses, and closes unclosed code blocks. Other Markdown is unchanged, except that fenced blocks lose their
 * indentation, so that they cannot belong to a list.
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
    // With a pipe in it, and dashes below, some renderers take the opening of a fence for the head of a table. Without anything in
    // its place, signs on both sides of it would make a longer fence, which nothing ends.
    safe.push(line.trimStart().replaceAll('|', ' '))
  }
  endParagraph()
  if (fence !== null) safe.push(fence.sign.repeat(fence.length))
  return safe.join('\n')
}

const withoutIndent = (line: string, indent: number): string => line.replace(new RegExp(`^ {0,${indent}}`), '')

/** A code span within one line and one cell of a table. */
const code = '(?<!`)(?<ticks>`+)(?!`)[^|\\n]*?[^`|\\n]\\k<ticks>(?!`)'
const escaped = String.raw`\\[!-/:-@[-\`{-~]`
const webAddress = '<https?://[^\\s<>`]*>'
const html = '<(?=[a-z/!?])'
/** A link target after `](` or `]:`: http, https, mailto, or relative. */
const safeTarget = String.raw`[\s>]*(?![\s>])(?:<?(?:https?:|mailto:)|[^\s:&\\<>()]*(?:[\s)/?#]|$))`
const unsafeLink = String.raw`\](?=[(:](?!${safeTarget}))`
const combinePatterns = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'gi')
const withCode = combinePatterns(code, escaped, webAddress, html, unsafeLink)
const withoutCode = combinePatterns(escaped, webAddress, html, unsafeLink)

/** @param text Lines without an empty one between them. */
function safeParagraph(text: string): string {
  // An unpaired backtick may pair with any other, so that apparent code spans cannot be trusted.
  const tokens = text.replaceAll(withCode, '').includes('`') ? withoutCode : withCode
  return text.replaceAll(tokens, (token) => (token === '<' || token === ']' ? `\\${token}` : token))
}

/** Makes Markdown safe for a cell of a table. */
export const safeCell = (text: string): string =>
  safeParagraph(text.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim()).replaceAll(/(?<!\\)\|/g, String.raw`\|`)
