/** A command as a line for a POSIX shell that does the same when pasted. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** An admin command as somebody would send it by hand. */
export function mongoshLine(port: number, command: Readonly<Record<string, unknown>>): string {
  return shellLine([
    'mongosh',
    '--quiet',
    '--port',
    String(port),
    '--eval',
    `db.adminCommand(${JSON.stringify(command)})`,
  ])
}
