/** A property as it is written. */
export type Property = {
  readonly name: string
  readonly value: string
  /** Place of the property, for messages: "workloada:12", or the option of the command line. */
  readonly place: string
}

const escapes = new Map(Object.entries({ t: '\t', n: '\n', r: '\r', f: '\f' }))

const unescape = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code: string | undefined, letter: string) =>
    code === undefined ? (escapes.get(letter) ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )

type Line = { readonly text: string; readonly number: number }

function isContinued(text: string): boolean {
  let end = text.length
  while (text[end - 1] === '\\') end -= 1
  return (text.length - end) % 2 === 1
}

/** Joins lines that end with a backslash; leaves out empty ones and comments. */
function logicalLines(text: string): readonly Line[] {
  const lines: Line[] = []
  let open: string[] = []
  let number = 1
  for (const [index, natural] of text.split(/\r\n|\r|\n/).entries()) {
    const own = natural.replace(/^[ \t\f]+/, '')
    if (open.length === 0) {
      if (own === '' || /^[#!]/.test(own)) continue
      number = index + 1
    }
    const continues = isContinued(own)
    open.push(continues ? own.slice(0, -1) : own)
    if (continues) continue
    lines.push({ text: open.join(''), number })
    open = []
  }
  return open.length === 0 ? lines : [...lines, { text: open.join(''), number }]
}

/** A name ends at the first of `=`, `:` and white space that has no backslash before it. */
const parts = /^((?:\\.|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*(.*)$/s

/** Parses a property file of Java: comments, continued lines, escapes, and all three separators. White space at the end of a value is cut off. */
export function parseProperties(text: string, file: string): readonly Property[] {
  return logicalLines(text.replace(/^\u{FEFF}/u, '')).map(({ text: line, number }) => {
    const [, name = '', value = ''] = parts.exec(line) ?? []
    return { name: unescape(name), value: unescape(value).trim(), place: `${file}:${number}` }
  })
}

/** Whether a file holds properties, not JSON: by its name, or by a property that every workload has. */
export const isPropertyFile = (file: string, text: string): boolean =>
  file.endsWith('.properties') ||
  (/^[\s\u{FEFF}]*[^\s\u{FEFF}{[/"]/u.test(text) && /^[ \t\f]*workload\s*[=:\s]/m.test(text))
