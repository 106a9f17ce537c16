/** A pair of HTML comments and what stands between them. */
export type Block = {
  /** "insert-batch-size/performance"; "insert-batch-size" for a place where a whole section will stand; "@contents". */
  readonly name: string
  readonly attributes: Attributes
  /** Index of the line of the opening marker. */
  readonly from: number
  /** Index of the line of the closing marker. */
  readonly to: number
  /** Whether nothing but white space stands between them. */
  readonly isEmpty: boolean
}

/** Written as `name="value"` in the opening marker. Values hold no quotation marks, line breaks or `>`. */
export type Attributes = Readonly<Record<string, string>>

export const titleBlock = '@title'
export const contentsBlock = '@contents'

/** What a line says, when all of it is a marker. */
export type Marker =
  | { readonly kind: 'opening'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'closing'; readonly name: string }

const name = String.raw`(@[a-z]+|[a-z0-9-]+(?:/[a-z0-9-]+)?)`
const opening = new RegExp(String.raw`^ {0,3}<!--\s*mongo-perf\s+${name}((?:\s+[a-z0-9]+="[^">]*")*)\s*-->\s*$`)
const closing = new RegExp(String.raw`^ {0,3}<!--\s*/mongo-perf\s+${name}\s*-->\s*$`)

/** Four spaces in front, and a line is no HTML comment any more. */
export function markerIn(line: string): Marker | null {
  const [, opened, attributes = ''] = opening.exec(line) ?? []
  if (opened !== undefined) return { kind: 'opening', name: opened, attributes: attributesIn(attributes) }
  const [, closed] = closing.exec(line) ?? []
  return closed === undefined ? null : { kind: 'closing', name: closed }
}

function attributesIn(text: string): Attributes {
  return Object.fromEntries(
    [...text.matchAll(/([a-z0-9]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  )
}

/**
 * A block as it stands in a document, without a line end after it.
 * @param text Markdown. Lines in it that look like markers are moved to the right, so that they are none.
 */
export function blockText(block: string, attributes: Attributes, text: string, lineEnd: string): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
  const lines =
    text === '' ? [] : text.split(/\r\n?|\n/).map((line) => (markerIn(line) === null ? line : `    ${line}`))
  return [`<!-- mongo-perf ${block}${given.join('')} -->`, ...lines, `<!-- /mongo-perf ${block} -->`].join(lineEnd)
}
