import { createHash } from 'node:crypto'
import { type CodeFence, endsFence, fenceIn } from '../markdown/code-fence.ts'

/** Markdown whose tables have no padding: a document is read as a page, and differs only in what has changed. */
export function withoutPadding(text: string): string {
  let fence: CodeFence | null = null
  return text
    .split('\n')
    .map((line) => {
      const isCode = fence !== null
      fence = fence === null ? fenceIn(line) : endsFence(line, fence) ? null : fence
      return isCode || !line.startsWith('|') ? line : withoutSpaces(line)
    })
    .join('\n')
}

const isRule = (line: string): boolean => /^[|:\s-]+$/.test(line)

const withoutSpaces = (line: string): string =>
  (isRule(line) ? line.replaceAll(/-+/g, '-') : line).replaceAll(spacesAround, '|')

/** A line of a table begins with a sign of this kind; in its cells they are escaped. */
const spacesAround = /(?<!\\) *\| */g

/** Hexadecimal digits of a fingerprint. */
const keptDigits = 8

/** A short hash of Markdown by which an edit is noticed. What formatters do to tables, white space and line ends is none. */
export const computeFingerprint = (text: string): string =>
  createHash('sha256')
    .update(text.replaceAll(/\s+/g, ' ').replaceAll(/-{2,}/g, '-').replaceAll(spacesAround, '|').trim())
    .digest('hex')
    .slice(0, keptDigits)
