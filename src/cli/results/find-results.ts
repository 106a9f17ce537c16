import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { readResult } from '../../results/results-file.ts'
import { type Result } from '../../results/schema.ts'

/**
 * Reads a result, or all results of a folder. Those that a run has kept in "previous" are left out.
 * @throws {Problem} "result-unreadable" if there is none.
 */
export async function findResults(given: string): Promise<readonly Result[]> {
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const files = isFolder ? await resultsIn(given) : [given]
  if (files.length === 0)
    throw new Problem('result-unreadable', `There is no result in the folder ${given}`, {
      hint: 'A run writes <out>/<spec name>/result.json.',
    })
  return Promise.all(files.map(readResult))
}

async function resultsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter(isResult)
    .toSorted()
    .map((entry) => join(folder, entry))
}

function isResult(entry: string): boolean {
  const parts = entry.split(sep)
  return parts.at(-1) === 'result.json' && !parts.includes('previous')
}
