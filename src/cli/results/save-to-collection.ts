import { Problem } from '../../core/errors.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'
import { findUri } from '../options/uris.ts'
import { showError } from '../terminal/show-error.ts'

/** Saves a result, or prints why it cannot be saved: its file is complete, and other specs may still be measured. */
export type SaveToCollection = (
  measured: { readonly result: Result; readonly folder: string },
  commit: string | null,
) => Promise<void>

/**
 * Reaches the collection of `--save` before anything is measured, and returns what saves a result there.
 * @param given A URI, or the variable that holds it.
 * @throws {Problem} "usage" or "target-unreachable".
 */
export async function openCollection(given: string, cli: CliContext): Promise<SaveToCollection> {
  const uri = findUri(given, cli.env)
  if (uri === undefined)
    throw new Problem('usage', '--save is neither the URI of a collection nor a variable that holds one', {
      hint: 'Write --save mongodb://host:27017/perf.results, or --save RESULTS_URI where the variable RESULTS_URI holds it.',
    })
  const { saveResult } = await import('../../report/history/saved-results.ts')
  const { reachCollection } = await import('../../servers/targets/existing/outside-collection.ts')
  const collection = await reachCollection(uri, '--save')
  return async ({ result, folder }, commit) => {
    try {
      const { compacted } = await saveResult(collection, result, commit)
      const form = compacted ? ', without time lines: with them it is too large for a document' : ''
      cli.printStatus(`saved to ${collection.place}${form}\n`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const hint = `${error.hint} The result is complete in ${folder}; the same command with --resume saves it.`
      cli.exitWith(await showError(new Problem(error.code, error.message, { hint, cause: error }), cli))
    }
  }
}
