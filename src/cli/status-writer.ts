/** Writes status for users: lines that stay, and on a terminal a last line that is rewritten. */
export type StatusWriter = {
  /** Prints a text that stays. It replaces a line that is being rewritten. */
  readonly printStatus: (text: string) => void
  /** Shows a line until the next text. Does nothing where lines cannot be rewritten. */
  readonly rewrite: (line: string) => void
}

/** Returns to the start of the line and clears it. */
const clearLine = '\r\u001B[2K'

/** Creates a status writer. */
export function createStatusWriter({
  write,
  isTerminal,
  columns,
}: {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Width of the terminal, which may change. */
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
      // A longer line would wrap, and only its last part would be cleared.
      write(clearLine + line.slice(0, columns() - 1))
      lineIsOpen = true
    },
  }
}
