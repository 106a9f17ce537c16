import { printable } from '../../core/printable.ts'
import { fitLine, textWidth } from './text-width.ts'

/** Writes status for users: lines that stay, and on a terminal last lines that are rewritten. */
export type StatusWriter = {
  /** Prints a text that stays. It replaces the lines that are being rewritten. */
  readonly printStatus: (text: string) => void
  /** Shows one line or a few until the next text. Does nothing where lines cannot be rewritten. */
  readonly rewrite: (lines: string) => void
  /** Whether lines can be rewritten. */
  readonly rewrites: boolean
}

/** A terminal, as far as lines on it can be rewritten. */
export type TerminalSize = {
  /** Width and height of the terminal, which may change. */
  readonly columns: () => number
  readonly rows: () => number
}

/** Returns to the start of the line and clears it. */
const clearLine = '\r\u001B[2K'
const upAndClear = '\u001B[1A\u001B[2K'

/** Creates a status writer. */
export function createStatusWriter({
  write,
  isTerminal,
  columns,
  rows,
}: TerminalSize & {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
}): StatusWriter {
  let shown: readonly string[] = []

  /** A terminal that has become narrower since has wrapped the lines. */
  const clearShown = (): string => {
    const height = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns())), 0)
    return clearLine + upAndClear.repeat(Math.max(0, height - 1))
  }

  return {
    rewrites: isTerminal,
    printStatus(given) {
      const text = printable(given)
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
