import { createHash } from 'node:crypto'
import { type Result } from '../../results/schema.ts'
import { type Attributes, type Block } from './markers.ts'

/** The result file from which a section of a document was made. */
export type Source = {
  /** The result file, relative to the document, with forward slashes. */
  readonly path: string
  /** `hashOf` the result file. */
  readonly sha256: string
}

/** Hexadecimal digits of a hash: enough to notice a change, and short enough for every marker. */
const keptDigits = 16

/** SHA-256 of a file's bytes, the first 16 digits. */
export const computeSourceHash = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, keptDigits)

/** A source as attributes of a marker. */
export const toSourceAttributes = ({ path, sha256 }: Source): Attributes => ({ result: encodePath(path), sha256 })

/** The source of a block. Null if its attributes are missing. */
export function parseSource({ attributes: { result, sha256 } }: Block): Source | null {
  return result === undefined || sha256 === undefined ? null : { path: decodePath(result), sha256 }
}

/** When and with which version a result was measured, for the title of the document. */
export const measuredAttributes = ({ startedAt, tool }: Result): Attributes => ({
  measured: startedAt.slice(0, 10),
  version: tool.version,
})

/** Encodes a path for links and markers. */
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
