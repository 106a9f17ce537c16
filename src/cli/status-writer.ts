/** Speaks to people: whole texts, and on a terminal one last line that rewrites itself. */
export type StatusWriter = {
  /** A text that stays. It takes the place of a line that is still being rewritten. */
  readonly printStatus: (text: string) => void
  /** A line that stands until the next text; nothing where lines cannot be rewritten. */
  readonly rewrite: (line: string) => void
}

/** Returns to the start of the line and clears it. */
const clearLine = '\r\u001B[2K'

export function createStatusWriter({
  write,
  isTerminal,
  columns,
}: {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Width of the terminal; asked for every line, since it may change. */
  readonly columns: () => number
}): StatusWriter {
  let lineIsOpen = false
  return {
    printStatus(text) {
      write(lineIsOpen ? clearLine + text : text)
      lineIsOpen = false
    },
    rewrite(line) {
      if (!isTerminal) return
      // A line that is too long would wrap, and only its last part would be cleared.
      write(clearLine + line.slice(0, columns() - 1))
      lineIsOpen = true
    },
  }
}
