import { createHash } from 'node:crypto'
import { type Result } from '../results/schema.ts'
import { type Attributes, type Block } from './markers.ts'

/** Where a section of a document comes from. */
export type Source = {
  /** The result file, relative to the document, with forward slashes. */
  readonly path: string
  /** Of the result file: see `hashOf`. */
  readonly sha256: string
}

/** Digits of a hash that are kept: enough to notice a change, and short enough to stand in every marker. */
const keptDigits = 16

/** SHA-256 of a file's bytes, the first 16 digits. */
export const hashOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, keptDigits)

export const attributesOf = ({ path, sha256 }: Source): Attributes => ({ result: encodePath(path), sha256 })

/** Null for a block that has none, or one that somebody has changed beyond recognition. */
export function sourceOf({ attributes: { result, sha256 } }: Block): Source | null {
  return result === undefined || sha256 === undefined ? null : { path: decodePath(result), sha256 }
}

/** When and with what a result was measured, for the title of the document. */
export const measuredAttributes = ({ startedAt, tool }: Result): Attributes => ({
  measured: startedAt.slice(0, 10),
  version: tool.version,
})

/** Safe in links and in markers. */
export const encodePath = (path: string): string =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/')

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
