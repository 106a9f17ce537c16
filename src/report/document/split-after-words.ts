/** The beginning of a text, and what follows it. */
export type Beginning = { readonly text: string; readonly rest: string }

/**
 * Splits Markdown after the last sentence that still belongs to the first `maxWords` words. A first sentence that is longer is cut,
 * and is in the rest as a whole. Lists, tables and code are not split.
 */
export function splitAfterWords(markdown: string, maxWords: number): Beginning {
  const paragraphs = markdown.trim().split(/\n\s*\n/)
  const kept: string[] = []
  let left = maxWords
  for (const [index, paragraph] of paragraphs.entries()) {
    const sentences = isPlain(paragraph) ? paragraph.split(/(?<=[.!?]\)?)\s+(?=[\p{Lu}`"(])/u) : [paragraph]
    const tooMuch = sentences.findIndex((_, end) => countWords(sentences.slice(0, end + 1)) > left)
    const shown = tooMuch < 0 ? sentences : sentences.slice(0, tooMuch)
    if (shown.length > 0) kept.push(shown.join(' '))
    left -= countWords(shown)
    if (tooMuch < 0) continue
    const rest = [sentences.slice(tooMuch).join(' '), ...paragraphs.slice(index + 1)].join('\n\n')
    return { text: kept.length > 0 ? kept.join('\n\n') : cutAfterWords(paragraph, maxWords), rest }
  }
  return { text: kept.join('\n\n'), rest: '' }
}

/** Whether a paragraph is text alone: neither a list, a table, code, a quotation nor a heading. */
const isPlain = (paragraph: string): boolean => !/^\s*(?:[-*+>|#`~]|\d+[.)]\s)/m.test(paragraph)

const wordsIn = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

const countWords = (texts: readonly string[]): number => texts.flatMap(wordsIn).length

const cutAfterWords = (text: string, maxWords: number): string => `${wordsIn(text).slice(0, maxWords).join(' ')} …`
