import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { shippedPath } from '../../core/package-root.ts'
import { type PublishedDocument } from './document.ts'

const folder = shippedPath('reference')

/** The names of the shipped documents, such as "performance-tables". */
export const documentNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))

const known = new Map<string, PublishedDocument>()

/** Reads a document, and caches it because every row of a spec uses it. Undefined if there is none of that name. */
export function readDocument(name: string): PublishedDocument | undefined {
  if (!known.has(name) && documentNames().includes(name)) {
    const text = readFileSync(path.join(folder, `${name}.json`), 'utf8')
    known.set(name, JSON.parse(text) as PublishedDocument)
  }
  return known.get(name)
}
