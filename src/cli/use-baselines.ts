import { type Baseline } from '../baselines/baseline.ts'
import { currentCommit } from '../baselines/commit.ts'
import {
  historyFile,
  type NamedBaseline,
  prepareBaselines,
  readBaseline,
  refuseBadName,
  saveBaseline,
} from '../baselines/folder.ts'
import { minRounds } from '../compare/estimate.ts'
import { Problem } from '../errors.ts'
import { entryOf } from '../history/entry.ts'
import { appendEntry } from '../history/history-file.ts'
import { type LoadedSpec } from '../load-spec.ts'
import { compareResults } from '../report/comparison/compare-results.ts'
import { isBetter, isClear, isUnclear, isWorse, type ResultComparison } from '../report/comparison/comparison.ts'
import { comparisonText } from '../report/comparison/text.ts'
import { type Result } from '../results/schema.ts'
import { type BaselineFlags } from './baseline-options.ts'
import { type CliContext } from './cli-context.ts'
import { showError } from './show-error.ts'
import { writeComparison } from './compare.ts'

/** Where the result of a spec is, and whether it may become a baseline. */
export type MeasuredSpec = {
  readonly result: Result
  readonly folder: string
  /** The exit code by its thresholds, checks and failures. */
  readonly exitCode: number
}

/** What to do with each result of a run. */
export type UseBaselines = (measured: MeasuredSpec) => Promise<void>

/**
 * Reads the baselines of all specs before the first one runs, and returns what to do with each result: compare it, save it, add it to a history.
 * @throws {Problem} "usage" if one is not known, or of another spec.
 */
export async function openBaselines(
  specs: readonly LoadedSpec[],
  flags: BaselineFlags,
  print: (comparison: string) => void,
  cli: CliContext,
): Promise<UseBaselines> {
  const { baseline, saveBaseline: saved, saveHistory, baselines: folder, strict = false } = flags
  if (strict && baseline === undefined)
    throw new Problem('usage', '--strict judges a comparison', { hint: 'Name what to compare with: --baseline main.' })
  const known = baseline === undefined ? null : await readAll(specs, { folder, name: baseline })
  const names = [...new Set([saved, saveHistory].flatMap((name) => name ?? []))]
  for (const name of names) refuseBadName({ folder, name })
  for (const name of names) await prepareBaselines({ folder, name })
  // Read before anything is saved, which changes the working directory.
  const commit = names.length === 0 ? null : await currentCommit(cli.env)
  return async ({ result, folder: out, exitCode }) => {
    if (baseline === undefined && names.length === 0) return
    if (result.status !== 'done') return cli.printStatus('not all rows are done: no baseline was compared or saved\n')
    const before = known?.get(result.spec.name)
    const comparison = before && (await tryToCompare(before, result, { folder, name: baseline ?? '' }, cli))
    if (before !== undefined && comparison !== undefined) {
      print(`\n${comparisonText(comparison, 'text')}\n${sidesText(baseline ?? '', before)}\n`)
      await writeComparison(comparison, out)
      cli.printStatus(adviceOf(comparison, baseline ?? ''))
      cli.exitWith(comparison.figures.some(isWorse) || (strict && !isClear(comparison)) ? 5 : 0)
    }
    for (const name of names)
      await appendEntry(historyFile({ folder, name }, result.spec.name), entryOf(result, commit))
    if (saved === undefined) return
    const reason = whyNotSaved(exitCode, comparison)
    cli.printStatus(
      reason === null
        ? await save({ folder, name: saved }, { result, commit })
        : `not saved as the baseline "${saved}": ${reason}\n`,
    )
  }
}

async function readAll(specs: readonly LoadedSpec[], named: NamedBaseline): Promise<ReadonlyMap<string, Baseline>> {
  const known = new Map<string, Baseline>()
  for (const { name, hash } of specs) {
    const baseline = await readBaseline(named, name)
    refuseOtherSpec(baseline, { name, hash }, named)
    known.set(name, baseline)
  }
  return known
}

function refuseOtherSpec(
  { result: { spec } }: Baseline,
  { name, hash }: Pick<LoadedSpec, 'name' | 'hash'>,
  of: NamedBaseline,
): void {
  if (spec.hash === hash) return
  const hashes = `hash ${spec.hash.slice(0, 8)} there, ${hash.slice(0, 8)} now`
  throw new Problem('usage', `The baseline "${of.name}" is of another version of the spec "${name}" (${hashes})`, {
    hint: `The spec has changed since, or --profile, --set, --only or --engine is another. Measure as then, or save it again: --save-baseline ${of.name}.`,
  })
}

/** Prints why the two cannot be compared if they differ in more than their figures, as other specs may still be measured. */
async function tryToCompare(
  { result: before }: Baseline,
  result: Result,
  { folder, name }: NamedBaseline,
  cli: CliContext,
): Promise<ResultComparison | undefined> {
  try {
    return compareResults(before, result)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const hint = `The result is complete. To compare it all the same, say what differs: mongo-perf compare <result> --baselines ${folder} --baseline ${name} --difference …`
    cli.exitWith(await showError(new Problem(error.code, error.message, { hint, cause: error }), cli))
    return undefined
  }
}

/** What A and B are. */
export function sidesText(name: string, { commit, result: { startedAt } }: Baseline): string {
  const ofCommit = commit === null ? '' : `, commit ${commit}`
  return `A is the baseline "${name}" of ${startedAt.slice(0, 10)}${ofCommit}; B is the new result.`
}

function adviceOf({ figures }: ResultComparison, name: string): string {
  const isOnlyBetter = figures.some(isBetter) && !figures.some((figure) => isWorse(figure) || isUnclear(figure))
  return isOnlyBetter ? `better than the baseline "${name}": refresh it with --save-baseline ${name}\n` : ''
}

/** A baseline that became worse by itself would hide what made it so. */
function whyNotSaved(exitCode: number, comparison: ResultComparison | undefined): string | null {
  if (exitCode !== 0) return 'operations failed, or a threshold or a check'
  return comparison?.figures.some(isWorse) ? 'it is worse; --save-baseline alone saves it all the same' : null
}

async function save(named: NamedBaseline, baseline: Baseline): Promise<string> {
  const path = await saveBaseline(named, baseline)
  const { times, startUpRuns } = baseline.result.spec.repeat
  const isTooFew = times - startUpRuns < minRounds
  return `saved as the baseline "${named.name}": ${path}\n${isTooFew ? `a verdict takes ${minRounds} runs of a row: --repeat 10\n` : ''}`
}
