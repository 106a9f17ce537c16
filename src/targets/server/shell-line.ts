/** A command as a line for a POSIX shell that does the same when pasted. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** The same line for anybody's home: the path of ours, wherever a word or a value begins with it, becomes a variable. */
export function withHomeVariable(line: string, home: string): string {
  const place = home.replace(/\/+$/, '')
  if (place === '') return line
  let quoted = false
  let written = ''
  for (let at = 0; at < line.length;) {
    if (line.startsWith(place, at) && isWholePath(line[at - 1], line[at + place.length])) {
      written += quoted ? `'"$HOME"'` : '"$HOME"'
      at += place.length
      continue
    }
    if (line[at] === "'" && (quoted || line[at - 1] !== '\\')) quoted = !quoted
    written += line[at]
    at++
  }
  return written
}

const isWholePath = (before = ' ', after = ' '): boolean => /[\s=:,'">]/.test(before) && /[\s/:,'"]/.test(after)

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
