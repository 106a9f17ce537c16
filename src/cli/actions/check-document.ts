import { Problem } from '../../core/errors.ts'
import { hashOfResult, readDocument } from '../../report/document/document-file.ts'
import { madeBlocks, type MadeBlock, staleBlocks } from '../../report/document/stale.ts'
import { type CliContext } from '../cli-context.ts'

/** Lists the blocks of a document that are older than their results, in the format that editors and CI read. */
export async function checkDocument(file: string, { print, printStatus, exitWith }: CliContext): Promise<void> {
  const blocks = await readBlocks(file)
  const paths = [...new Set(blocks.map(({ source }) => source.path))]
  const hashes = new Map<string, string>()
  for (const path of paths) {
    const hash = await hashOfResult(file, path)
    if (hash !== null) hashes.set(path, hash)
  }
  const stale = staleBlocks(blocks, hashes)
  for (const { name, line, source } of stale)
    printStatus(`${file}:${line}: ${name}: older than result ${source.path}\n`)
  if (stale.length > 0) {
    printStatus(`hint: \`mongo-perf report <results...> --into ${file}\` brings it up to date\n`)
    exitWith(5)
  }
  refuseUnreadable(file, blocks, hashes)
  if (stale.length === 0)
    print(`${file}: up to date with ${paths.length === 1 ? 'its result' : `${paths.length} results`}\n`)
}

async function readBlocks(file: string): Promise<readonly MadeBlock[]> {
  const text = await readDocument(file)
  if (text === null) throw new Problem('document-invalid', `${file} does not exist`, { hint: 'Check the path.' })
  const blocks = madeBlocks(text, file)
  if (blocks.length > 0) return blocks
  throw new Problem('document-invalid', `${file} has no block that was made from a result`, {
    hint: `\`mongo-perf report <results...> --into ${file}\` adds reports to it.`,
  })
}

function refuseUnreadable(file: string, blocks: readonly MadeBlock[], hashes: ReadonlyMap<string, string>): void {
  const first = blocks.find(({ source }) => !hashes.has(source.path))
  if (first === undefined) return
  throw new Problem(
    'result-unreadable',
    `${file}:${first.line}: ${first.name}: the result ${first.source.path} cannot be read`,
    {
      hint: 'Paths of results are relative to the document. Put the file back, or make the section again.',
    },
  )
}
