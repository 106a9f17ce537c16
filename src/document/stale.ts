import { parseDocument } from './parse-document.ts'
import { type Source, sourceOf } from './sources.ts'

/** A block that was made from a result file. */
export type MadeBlock = {
  /** "insert-batch-size/performance" */
  readonly name: string
  /** From 1. */
  readonly line: number
  readonly source: Source
}

/** The blocks whose results can be looked at. */
export function madeBlocks(text: string, file: string): readonly MadeBlock[] {
  return parseDocument(text, file).blocks.flatMap((block) => {
    const source = sourceOf(block)
    return source === null ? [] : [{ name: block.name, line: block.from + 1, source }]
  })
}

/** @param hashes The hash of each result file as it is now, by its path in the document. */
export function staleBlocks(blocks: readonly MadeBlock[], hashes: ReadonlyMap<string, string>): readonly MadeBlock[] {
  return blocks.filter(({ source: { path, sha256 } }) => hashes.has(path) && hashes.get(path) !== sha256)
}
