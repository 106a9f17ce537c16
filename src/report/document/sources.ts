import { createHash } from 'node:crypto'
import { Problem } from '../../core/errors.ts'
import { type Result } from '../../results/schema.ts'
import { type Attributes, type Block, isKept, isOmitted } from './markers.ts'
import { isEdited, parseDocument, type ParsedDocument } from './parse-document.ts'

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
export function parseSource({ attributes: { result, sha256 } }: Block): Source | null {
  return result === undefined || sha256 === undefined ? null : { path: decodePath(result), sha256 }
}

/** The file of a writer's texts as attributes of a marker. */
export const toProseAttributes = (path: string, sha256: string): Attributes => ({
  prose: encodePath(path),
  prosesha256: sha256,
})

/** The file of the texts of a block, relative to the document. Null: its texts are those of the report. */
export function parseProseSource({ attributes: { prose, prosesha256 } }: Block): Source | null {
  return prose === undefined || prosesha256 === undefined ? null : { path: decodePath(prose), sha256: prosesha256 }
}

/** Formats the date and the version with which a result was measured, for the title of the document. */
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

/** A block that was generated from a result file. */
export type MadeBlock = {
  /** "insert-batch-size/performance" */
  readonly name: string
  /** From 1. */
  readonly line: number
  readonly source: Source
}

/** The blocks that were generated from a result file: one block of a section names it for all. */
export function madeBlocks(text: string, file: string): readonly MadeBlock[] {
  const { blocks } = parseDocument(text, file)
  const bySection = new Map(
    blocks.flatMap((block) => {
      const source = parseSource(block)
      return source === null ? [] : [[getSectionName(block), source] as const]
    }),
  )
  return blocks.flatMap((block) => {
    const source = parseSource(block) ?? bySection.get(getSectionName(block))
    const isMade = block.name.includes('/') && !isKept(block) && !isOmitted(block)
    return source === undefined || !isMade ? [] : [{ name: block.name, line: block.from + 1, source }]
  })
}

/**
 * The blocks that people edited and that an update replaces, each as `file:line: what`.
 * @param names The sections that it updates. Default: all.
 */
export const listEdited = (document: ParsedDocument, file: string, names?: readonly string[]): readonly string[] =>
  document.blocks
    .filter((block) => !isKept(block) && isEdited(document, block))
    .filter((block) => names === undefined || names.includes(getSectionName(block)))
    .map(
      ({ name, from }) =>
        `${file}:${from + 1}: ${name} was edited by hand; an update replaces that, unless its marker has the word "keep": <!-- mongo-perf ${name} keep -->`,
    )

const getSectionName = ({ name }: Block): string => name.replace(/\/.*/, '')

/**
 * The blocks whose result file has changed.
 * @param hashes The current hash of each result file, by its path in the document.
 */
export function staleBlocks(blocks: readonly MadeBlock[], hashes: ReadonlyMap<string, string>): readonly MadeBlock[] {
  return blocks.filter(({ source: { path, sha256 } }) => hashes.has(path) && hashes.get(path) !== sha256)
}

/**
 * Refuses to replace a section by another result of the same spec, such as one from another server. A new result at the
 * same path may replace it, and so may a moved file.
 * @param name Name of the spec.
 * @throws {Problem} "usage".
 */
export function refuseOtherResult(
  { blocks }: ParsedDocument,
  name: string,
  { path, sha256 }: Pick<Source, 'path'> & Partial<Source>,
  file: string,
): void {
  for (const block of blocks.filter((one) => one.name.startsWith(`${name}/`))) {
    const shown = parseSource(block)
    if (shown === null || shown.path === path || shown.sha256 === sha256) continue
    throw new Problem(
      'usage',
      `${file}:${block.from + 1}: the section "${name}" shows another result, ${shown.path}, which ${path} would replace`,
      {
        hint: 'Nothing was written. Put this one into another document with --into. To replace the section, write the result where it was (--out), or delete its blocks first.',
      },
    )
  }
}
