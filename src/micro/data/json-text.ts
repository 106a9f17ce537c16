/**
 * JSON as files hold it. The sizes in the specification are those of files, so it matters how they are written: `spaced` is
 * how its BSON files are (a space after each colon and comma, a line feed at the end), `compact` how its small document is.
 * Values are texts that are JSON already, or objects of such.
 */
export type JsonText = string | { readonly [key: string]: JsonText }

const separators = { compact: { colon: ':', comma: ',' }, spaced: { colon: ': ', comma: ', ' } } as const

export const compactJson = (value: JsonText): string => write(value, separators.compact)
export const spacedJson = (value: JsonText): string => `${write(value, separators.spaced)}\n`

function write(value: JsonText, style: (typeof separators)[keyof typeof separators]): string {
  if (typeof value === 'string') return value
  const pairs = Object.entries(value).map(([key, inner]) => `"${key}"${style.colon}${write(inner, style)}`)
  return `{${pairs.join(style.comma)}}`
}

/** A text of letters and digits, which needs no escapes. */
export const quoted = (text: string): string => `"${text}"`
