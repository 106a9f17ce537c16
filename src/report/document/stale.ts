import { parseDocument } from './parse-document.ts'
import { type Source, parseSource } from './sources.ts'

/** A block that was generated from a result file. */
export type MadeBlock = {
  /** "insert-batch-size/performance" */
  readonly name: string
  /** From 1. */
  readonly line: number
  readonly source: Source
}

/** The blocks that were generated from a result file. */
export function madeBlocks(text: string, file: string): readonly MadeBlock[] {
  return parseDocument(text, file).blocks.flatMap((block) => {
    const source = parseSource(block)
    return source === null ? [] : [{ name: block.name, line: block.from + 1, source }]
  })
}

/**
 * The blocks whose result file has changed.
 * @param hashes The current hash of each result file, by its path in the document.
 */
export function staleBlocks(blocks: readonly MadeBlock[], hashes: ReadonlyMap<string, string>): readonly MadeBlock[] {
  return blocks.filter(({ source: { path, sha256 } }) => hashes.has(path) && hashes.get(path) !== sha256)
}
