/**
 * JSON text. The specification gives sizes of files, so white space matters: its BSON files are `spaced` (a space after each
 * colon and comma, a line feed at the end), its small document is `compact`. Values are JSON texts, or objects of them.
 */
export type JsonText = string | { readonly [key: string]: JsonText }

const separators = { compact: { colon: ':', comma: ',' }, spaced: { colon: ': ', comma: ', ' } } as const

/** JSON without white space. */
export const compactJson = (value: JsonText): string => write(value, separators.compact)
/** JSON with spaces and a line feed at the end. */
export const spacedJson = (value: JsonText): string => `${write(value, separators.spaced)}\n`

function write(value: JsonText, style: (typeof separators)[keyof typeof separators]): string {
  if (typeof value === 'string') return value
  const pairs = Object.entries(value).map(([key, inner]) => `"${key}"${style.colon}${write(inner, style)}`)
  return `{${pairs.join(style.comma)}}`
}

/** A JSON string of letters and digits, which needs no escapes. */
export const quoted = (text: string): string => `"${text}"`
