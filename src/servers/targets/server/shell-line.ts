/** A command as a line for a POSIX shell that does the same when pasted. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

/** Quotes a word for a POSIX shell, if it needs quotes. */
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

/** A command as it is sent by hand, to "admin" unless it names another `$db`. */
export const mongoshLine = (port: number, command: Readonly<Record<string, unknown>>): string =>
  mongoshLineTo(`--port ${port}`, command)

/**
 * The same for any server.
 * @param address What a shell is given for it: a URI, an option, a variable in quotes.
 */
export function mongoshLineTo(address: string, { $db, ...command }: Readonly<Record<string, unknown>>): string {
  const send = $db === undefined ? 'db.adminCommand' : `db.getSiblingDB(${JSON.stringify($db)}).runCommand`
  return `mongosh --quiet ${address} --eval ${shellWord(`${send}(${inMongosh(command)})`)}`
}

/** Types of BSON, written as Extended JSON, are nothing but objects to JavaScript. */
function inMongosh(command: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(command)
  return text.includes('{"$') ? `EJSON.parse(${JSON.stringify(text)})` : text
}
