import { readdirSync, readFileSync } from 'node:fs'
import { type PublishedDocument, publishedDocument } from './document.ts'

const folder = new URL('../../../fixtures/reference/', import.meta.url)

/** The documents that ship, by which specs name them: "performance-tables". */
export const documentNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))

const known = new Map<string, PublishedDocument>()

/** Read once: every row of a spec is checked against it. Undefined when there is none of that name. */
export function readDocument(name: string): PublishedDocument | undefined {
  if (!known.has(name) && documentNames().includes(name)) {
    const text = readFileSync(new URL(`${name}.json`, folder), 'utf8')
    known.set(name, publishedDocument.parse(JSON.parse(text)))
  }
  return known.get(name)
}
