import { Problem } from '../../core/errors.ts'
import { type Baseline } from '../../report/baselines/baseline.ts'
import {
  currentCommit,
  historyFile,
  type NamedBaseline,
  prepareBaselines,
  readBaseline,
  refuseBadName,
  saveBaseline,
} from '../../report/baselines/folder.ts'
import { compareResults } from '../../report/comparison/compare-results.ts'
import { isAnyWorse, isBetter, isClear, isUnclear, type ResultComparison } from '../../report/comparison/comparison.ts'
import { createHistoryEntry } from '../../report/history/entry.ts'
import { appendEntry } from '../../report/history/history-file.ts'
import { type Result } from '../../results/schema.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { type CliContext } from '../cli-context.ts'
import { type BaselineFlags } from '../options/comparison-options.ts'
import { type ReportFormat } from '../options/output-options.ts'
import { showError } from '../terminal/show-error.ts'
import { chooseFormat, isForPeople, printAs } from './print-as.ts'
import { printableComparison, writeComparison } from './print-comparison.ts'
import { openCollection } from './save-to-collection.ts'

/** Result of a spec with its file, and whether it may become a baseline. */
export type MeasuredSpec = {
  readonly result: Result
  readonly folder: string
  /** The exit code by its thresholds, checks and failures. */
  readonly exitCode: number
  /** Takes the comparison with the baseline. */
  readonly onCompared: (comparison: ResultComparison) => void
}

/** Compares or saves each result of a run. */
export type UseBaselines = (measured: MeasuredSpec) => Promise<void>

/**
 * Reads the baselines of all specs before the first one runs, and returns what to do with each result: compare it, add it to histories, save it.
 * @throws {Problem} "usage" if one is not known, or of another spec.
 */
export async function openBaselines(
  specs: readonly LoadedSpec[],
  {
    baseline: name,
    saveBaseline: saved,
    saveHistory,
    save: uri,
    baselines: folder,
    strict = false,
    format,
  }: BaselineFlags & { readonly format?: ReportFormat },
  cli: CliContext,
): Promise<UseBaselines> {
  const known = name === undefined ? null : await readAll(specs, { folder, name })
  const kept = [...new Set([saved, saveHistory].flatMap((one) => one ?? []))].map((one) => ({ folder, name: one }))
  for (const one of kept) refuseBadName(one)
  for (const one of kept) await prepareBaselines(one)
  const saveToCollection = uri === undefined ? undefined : await openCollection(uri, cli)
  const saves = kept.length > 0 || saveToCollection !== undefined
  // Read before anything is saved, which changes the working directory.
  const commit = saves ? await currentCommit(cli.env) : null
  return async (measured) => {
    if (known === null && !saves) return
    const { result, exitCode } = measured
    if (result.status !== 'done') return cli.printStatus('not all rows are done: nothing was compared or saved\n')
    const before = known?.get(result.spec.name)
    const outcome =
      name === undefined || before === undefined
        ? 'not compared'
        : await compareWith(
            before,
            measured,
            { named: { folder, name }, strict, format: chooseFormat(format, cli) },
            cli,
          )
    for (const one of kept) await appendEntry(historyFile(one, result.spec.name), createHistoryEntry(result, commit))
    await saveToCollection?.(measured, commit)
    if (saved === undefined) return
    const reason = exitCode === 0 ? reasonsNotToSave[outcome] : 'operations failed, or a threshold or check was missed'
    cli.printStatus(
      reason === null
        ? await save({ folder, name: saved }, { result, commit })
        : `not saved as the baseline "${saved}": ${reason}\n`,
    )
  }
}

type Outcome = 'not compared' | 'refused' | 'worse' | 'not worse'

/** A baseline that became worse by itself would hide what made it so. Null: nothing is against it. */
const reasonsNotToSave: Readonly<Record<Outcome, string | null>> = {
  'not compared': null,
  refused: 'it could not be compared; --save-baseline alone saves it anyway',
  worse: 'it is worse; --save-baseline alone saves it anyway',
  'not worse': null,
}

type Comparing = { readonly named: NamedBaseline; readonly strict: boolean; readonly format: ReportFormat }

async function compareWith(
  baseline: Baseline,
  { result, folder, onCompared }: MeasuredSpec,
  { named, strict, format }: Comparing,
  cli: CliContext,
): Promise<Outcome> {
  const comparison = await tryToCompare(baseline, result, named, cli)
  if (comparison === null) return 'refused'
  onCompared(comparison)
  const printable = printableComparison(comparison, sidesText(named.name, baseline))
  // Programs read the report alone.
  if (isForPeople(format)) printAs(format, printable, cli)
  else cli.printStatus(`\n${printable.md()}`)
  await writeComparison({ a: [baseline.result], b: [result], comparison }, folder, cli)
  if (isOnlyBetter(comparison))
    cli.printStatus(`better than the baseline "${named.name}": refresh it with --save-baseline ${named.name}\n`)
  const isBad = isAnyWorse(comparison)
  const isGood = !isBad && (!strict || isClear(comparison))
  if (!isGood) cli.printStatus(`against the baseline "${named.name}": ${comparison.answer}\n`)
  cli.exitWith(isGood ? 0 : 5)
  return isBad ? 'worse' : 'not worse'
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
    hint: `The spec has changed since then, or --profile, --set, --only, --engine or --speed differs. Use the same options, or save it again: --save-baseline ${of.name}.`,
  })
}

/** Prints why the two cannot be compared if they differ in more than their metrics, as other specs may still be measured. */
async function tryToCompare(
  { result: before }: Baseline,
  result: Result,
  { folder, name }: NamedBaseline,
  cli: CliContext,
): Promise<ResultComparison | null> {
  try {
    return compareResults(before, result)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const hint = `${error.hint} The result is complete: mongo-perf compare <result> --baselines ${folder} --baseline ${name} compares it.`
    cli.exitWith(await showError(new Problem(error.code, error.message, { hint, cause: error }), cli))
    return null
  }
}

/** Describes A and B. */
export function sidesText(name: string, { commit, result: { startedAt } }: Baseline): string {
  const ofCommit = commit === null ? '' : `, commit ${commit}`
  return `A is the baseline "${name}" of ${startedAt.slice(0, 10)}${ofCommit}; B is the new result.`
}

const isOnlyBetter = (comparison: ResultComparison): boolean =>
  comparison.figures.some(isBetter) && !comparison.figures.some(isUnclear) && !isAnyWorse(comparison)

async function save(named: NamedBaseline, baseline: Baseline): Promise<string> {
  const path = await saveBaseline(named, baseline)
  const { times, startUpRuns } = baseline.result.spec.repeat
  const isTooFew = times - startUpRuns < minRounds
  return `saved as the baseline "${named.name}": ${path}\n${isTooFew ? `a verdict takes ${minRounds} runs of a row: --repeat 10\n` : ''}`
}
