import { createHash } from 'node:crypto'
import { Problem } from '../../core/errors.ts'
import { decodePercents } from '../../core/printable.ts'
import { type Result } from '../../results/schema.ts'
import { type Attributes } from './markers.ts'
import {
  type Block,
  blocksIn,
  type Document,
  isEdited,
  isKept,
  isOmitted,
  getLine,
  partsIn,
  getSection,
} from './parse-document.ts'

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

export const toSourceAttributes = ({ path, sha256 }: Source): Attributes => ({ result: encodePath(path), sha256 })

/** The source of a block. Null if its attributes are missing. */
export const parseSource = ({ attributes: { result, sha256 } }: Block): Source | null => toSource(result, sha256)

/** The file of a writer's texts as attributes of a marker. */
export const toProseAttributes = (path: string, sha256: string): Attributes => ({
  prose: encodePath(path),
  prosesha256: sha256,
})

/** The file of the texts of a block, relative to the document. Null: its texts are those of the report. */
export const parseProseSource = ({ attributes: { prose, prosesha256 } }: Block): Source | null =>
  toSource(prose, prosesha256)

const toSource = (path: string | undefined, sha256: string | undefined): Source | null =>
  path === undefined || sha256 === undefined ? null : { path: decodePercents(path), sha256 }

/** Formats the date and the version with which a result was measured, for the title of the document. */
export const measuredAttributes = ({ startedAt, tool }: Result): Attributes => ({
  measured: startedAt.slice(0, 10),
  version: tool.version,
})

export const encodePath = (path: string): string =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/')

/** A block that was generated from a result file. */
export type MadeBlock = {
  /** "insert-batch-size/performance" */
  readonly name: string
  /** From 1. */
  readonly line: number
  readonly source: Source
}

/** The blocks that were generated from a result file: one block of a section names it for all. */
export function madeBlocks(document: Document): readonly MadeBlock[] {
  const bySection = new Map(
    blocksIn(document).flatMap((block) => {
      const source = parseSource(block)
      return source === null ? [] : [[getSection(block), source] as const]
    }),
  )
  return blocksIn(document).flatMap((block) => {
    const source = parseSource(block) ?? bySection.get(getSection(block))
    const isMade = block.name.includes('/') && !isKept(block) && !isOmitted(block)
    return source === undefined || !isMade ? [] : [{ name: block.name, line: getLine(document, block), source }]
  })
}

/**
 * The blocks that people edited and that an update replaces, each as `file:line: what`.
 * @param names The sections that it updates. Default: all.
 */
export const listEdited = (document: Document, names?: readonly string[]): readonly string[] =>
  blocksIn(document)
    .filter((block) => !isKept(block) && isEdited(block) && (names?.includes(getSection(block)) ?? true))
    .map(
      (block) =>
        `${document.file}:${getLine(document, block)}: ${block.name} was edited by hand; an update replaces that, unless its marker has the word "keep": <!-- mongo-perf ${block.name} keep -->`,
    )

/**
 * Refuses to replace a section by another result of the same spec, such as one from another server. A new result at the
 * same path may replace it, and so may a moved file.
 * @param name Name of the spec.
 * @throws {Problem} "usage".
 */
export function refuseOtherResult(
  document: Document,
  name: string,
  { path, sha256 }: Pick<Source, 'path'> & Partial<Source>,
): void {
  for (const block of partsIn(document, name)) {
    const shown = parseSource(block)
    if (shown === null || shown.path === path || shown.sha256 === sha256) continue
    const place = `${document.file}:${getLine(document, block)}`
    throw new Problem(
      'usage',
      `${place}: the section "${name}" shows another result, ${shown.path}, which ${path} would replace`,
      {
        hint: 'Nothing was written. Put this one into another document with --into. To replace the section, write the result where it was (--out), or delete its blocks first.',
      },
    )
  }
}
