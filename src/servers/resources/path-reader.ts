import { deserialize } from 'bson'
import { type Reading } from '../../results/server-metrics.ts'

/** A document of a reply. */
export type Fields = Readonly<Record<string, unknown>>

/** Decodes one level of a document. With the driver's `raw` option nested documents are bytes, so only what is read is decoded. */
export function openDocument(value: unknown): Fields | null {
  if (value instanceof Uint8Array) return deserialize(value, { raw: true })
  return typeof value === 'object' && value !== null ? (value as Fields) : null
}

/** Returns a function that reads numbers by their paths. Each nested document is decoded once. */
export function createPathReader(root: Fields): (reading: Reading) => number | null {
  const opened = new Map<unknown, Fields | null>()

  function open(value: unknown): Fields | null {
    const known = opened.get(value)
    if (known !== undefined) return known
    const document = openDocument(value)
    opened.set(value, document)
    return document
  }

  function follow(value: unknown, [name, ...rest]: readonly string[]): number | null {
    if (name === undefined) return typeof value === 'number' && Number.isFinite(value) ? value : null
    const document = open(value)
    if (!document) return null
    if (name === '*') return total(Object.values(document).map((entry) => follow(entry, rest)))
    return follow(document[name], rest)
  }

  return ({ paths, times }) => {
    const value = total(paths.map((path) => follow(root, path.split('.'))))
    return value === null ? null : value * times
  }
}

function total(values: readonly (number | null)[]): number | null {
  let result = 0
  for (const value of values) {
    if (value === null) return null
    result += value
  }
  return values.length === 0 ? null : result
}
