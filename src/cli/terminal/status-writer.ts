import { printable } from '../../core/printable.ts'
import { fillLines } from '../../report/charts/drawing/wrap.ts'

/** Writes status for users: lines that stay, and on a terminal last lines that are rewritten. */
export type StatusWriter = {
  /** Prints a text that stays. It replaces the lines that are being rewritten. */
  readonly printStatus: (text: string) => void
  /** Shows one line or a few until the next text. Does nothing where lines cannot be rewritten. */
  readonly rewrite: (lines: string) => void
  /** Whether lines can be rewritten. */
  readonly rewrites: boolean
}

type Terminal = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Width and height of the terminal, which may change. */
  readonly columns: () => number
  readonly rows: () => number
}

/** Returns to the start of the line and clears it. */
const clearLine = '\r\u001B[2K'
const upAndClear = '\u001B[1A\u001B[2K'

export function createStatusWriter({ write, isTerminal, columns, rows }: Terminal): StatusWriter {
  let shown: readonly string[] = []

  /** A terminal that has become narrower since has wrapped the lines. */
  const clearShown = (): string => {
    const height = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns())), 0)
    return clearLine + upAndClear.repeat(Math.max(0, height - 1))
  }

  return {
    rewrites: isTerminal,
    printStatus(given) {
      const text = isTerminal ? breakLines(printable(given), columns()) : printable(given)
      write(shown.length > 0 ? clearShown() + text : text)
      shown = []
    },
    rewrite(lines) {
      if (!isTerminal) return
      // Longer lines would wrap, and more of them would scroll: what has left the screen cannot be cleared.
      const next = lines
        .split('\n')
        .slice(0, Math.max(1, rows() - 1))
        .map((line) => fitLine(line, columns() - 1))
      write(clearShown() + next.join('\n'))
      shown = next
    },
  }
}

/** Characters that take two columns of a terminal: East Asian wide and full-width ones, and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
/** Characters that take none, or move the cursor. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Mn}\p{Me}]/gu

const widthOfCharacter = (character: string): number => (wide.test(character) ? 2 : 1)

/** Lines that programs read or people copy: JSON, commands, and findings with their place in a file. */
const unbroken = /^\s*(?:\{|(?:npx )?mongo-perf |\S+:\d+: )/
/** The spaces before the text of a line, and a mark, or a name in a list. */
const lead = /^ *(?:\S+ {2,}|[-!?✓✗] )?/

/** Breaks the lines of a text at spaces where they are longer than a terminal is wide: the further ones begin below the text, or behind it. */
export const breakLines = (text: string, columns: number): string =>
  text.replaceAll(/.+/g, (line) => {
    if (line.length <= columns || unbroken.test(line)) return line
    const [first = ''] = lead.exec(line) ?? []
    const indent = first === '' || first.trim() !== '' ? first.length : first.length + 2
    return first + fillLines(line.slice(first.length), columns - indent).join(`\n${' '.repeat(indent)}`)
  })

/** Columns that a line takes on a terminal. */
export const textWidth = (line: string): number =>
  [...line].reduce((sum, character) => sum + widthOfCharacter(character), 0)

/** The beginning of a line that fits a number of columns. Characters that would take no column, or move the cursor, are left out. */
export function fitLine(line: string, columns: number): string {
  let width = 0
  let text = ''
  for (const character of line.replaceAll(unprintable, '')) {
    width += widthOfCharacter(character)
    if (width > columns) return text
    text += character
  }
  return text
}
