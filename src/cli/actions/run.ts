import { systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { findDriver, requireDriver } from '../../load/engines/driver/installed-driver.ts'
import { type LoadDriver, loadDriverFrom, bundledDriver } from '../../load/engines/driver/load-driver.ts'
import { loadFunctions } from '../../load/engines/load-functions.ts'
import { type OperationFunctions } from '../../load/engines/operation-functions.ts'
import { watchOtherPrograms } from '../../load/measure/machine-meter.ts'
import { refuseForAgents } from '../../run/preflight/check-abilities.ts'
import { preflightUris } from '../../run/preflight/preflight.ts'
import { checkThresholdSamples } from '../../run/preflight/threshold-samples.ts'
import { refuseUnread, variablesRead } from '../../run/preflight/unread-uris.ts'
import { planTurns, targetsToRun } from '../../run/turns.ts'
import { workingFolder } from '../../servers/machine.ts'
import { notesOnUris } from '../../servers/targets/existing/reach-existing.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { type CliContext } from '../cli-context.ts'
import { type RunFlags } from '../commands/run.ts'
import { queueOfRun } from '../options/queue-option.ts'
import { toOverrides } from '../options/spec-options.ts'
import { readUris, type Uris } from '../options/uris.ts'
import {
  besideSpec,
  type FindProse,
  openDocument,
  type OpenDocument,
  refuseLayoutAlone,
} from '../results/into-document.ts'
import { openBaselines } from '../results/use-baselines.ts'
import { findSpecs } from '../specs/find-specs.ts'
import { type Loading, loadSpecs } from '../specs/load-specs.ts'
import { openLiveOutputs } from './live-outputs.ts'
import { agentsAt, openRun } from './open-run.ts'
import { type Job, runJobs, toJob } from './run-jobs.ts'

/** Validates all specs and finds what they need before the first one starts. Then runs one after the other and prints each report. */
export async function runSpecs(given: readonly string[], flags: RunFlags, cli: CliContext): Promise<void> {
  const readOthers = watchOtherPrograms()
  refuseLayoutAlone(flags)
  const uris = readUris(flags.uri, cli.env)
  const queue = queueOfRun(flags, cli.env)
  const functions = await loadFunctions(flags.functions ?? {})
  const specs = await loadRunnable(given, flags, { uris, functions: functions.named }, cli)
  const jobs = await Promise.all(specs.map((spec, i) => toJob(spec, specs.length - i - 1, flags)))
  const document = await openDocumentOfRun(given, jobs, flags, cli)
  const useBaselines = await openBaselines(specs, flags, cli)
  const driver = await loadRequestedDriver(flags)
  const printNote = flags.quiet ? (): void => undefined : cli.printStatus
  printNote(unreadVariables(uris, variablesRead(specs)))
  const opened = openRun(flags, uris, queue, cli)
  await using start = opened.start
  preflightUris(
    jobs.flatMap((job) => planTurns(job.spec, job).rowsToRun),
    start,
  )
  for (const note of notesOnUris(variablesRead(specs), start)) printNote(note)
  await using live = await openLiveOutputs(flags, systemClock, cli)
  if (queue !== undefined) for (const spec of specs) refuseForAgents(spec, driver ?? bundledDriver())
  await using agents = await agentsAt(queue, flags, cli)
  for (const job of jobs) await agents?.check(job.spec, targetsToRun(planTurns(job.spec, job)), start)
  if (cli.rewrites && !flags.quiet) warnOfOthers(readOthers(), cli)
  await runJobs(jobs, { ...opened, flags, driver, functions, document, useBaselines, live, agents }, cli)
}

/** Above this share, rows end as "do not compare" in most cases. */
const busyShare = 0.5

/** Warns the person who waits; a log gets it with the report. */
function warnOfOthers(share: number, { printStatus }: Pick<CliContext, 'printStatus'>): void {
  if (share > busyShare)
    printStatus(`warning: other programs use ${Math.round(share * 100)} % of the CPU: do not compare what follows\n`)
}

type Loaded = { readonly uris: Uris; readonly functions: OperationFunctions }

/** Loads the specs, and refuses those that cannot be run together, and URIs that none of them reads. */
async function loadRunnable(
  given: readonly string[],
  flags: RunFlags,
  { uris, functions }: Loaded,
  cli: CliContext,
): Promise<readonly LoadedSpec[]> {
  const existing = flags.target === 'existing' || uris.replacement !== undefined
  const files = (await Promise.all(given.map(findSpecs))).flat()
  const overrides = { ...toOverrides(flags), existing, functions }
  const { loadings, notes } = await loadSpecs(files, overrides)
  const specs = collectLoadedSpecs(loadings)
  // Rows that --only leaves out may read variables too.
  if (uris.named.length > 0) {
    const whole = await loadSpecs(files, { ...overrides, only: [], thresholds: [] })
    refuseUnread(uris.named, variablesRead(collectLoadedSpecs(whole.loadings)))
  }
  for (const note of notes) cli.printStatus(note)
  refuseSharedFolders(specs)
  for (const spec of specs) checkThresholdSamples(spec, flags.repeat)
  return specs
}

async function openDocumentOfRun(
  given: readonly string[],
  jobs: readonly Job[],
  flags: RunFlags,
  cli: CliContext,
): Promise<OpenDocument | undefined> {
  if (flags.into === undefined) return undefined
  const specFiles = new Map(jobs.map(({ spec }) => [spec.name, spec.file]))
  const findProse: FindProse = (name) => besideSpec(specFiles.get(name) ?? '')
  return await openDocument(flags.into, cli, { ...flags, specs: given, results: jobs, findProse })
}

/** @throws The error of the first spec that cannot run, before anything is started. */
const collectLoadedSpecs = (loadings: readonly Loading[]): readonly LoadedSpec[] =>
  loadings.flatMap((loading) => {
    if (loading.kind === 'failed') throw loading.error
    return loading.kind === 'loaded' ? loading.spec : []
  })

const loadRequestedDriver = async ({ driver }: RunFlags): Promise<LoadDriver | undefined> =>
  driver === undefined ? undefined : loadDriverFrom(requireDriver(findDriver(driver, workingFolder())))

/** A note about variables that no target reads. No error, because they may be set for other commands. */
function unreadVariables({ inEnvironment }: Uris, read: ReadonlySet<string>): string {
  const unread = inEnvironment.filter((variable) => !read.has(variable))
  if (unread.length === 0) return ''
  const way = unread.includes('MONGO_PERF_URI') ? '; --target existing measures the server of MONGO_PERF_URI' : ''
  return `${unread.join(', ')}: set, but no target of this run reads it${way}\n`
}

function refuseSharedFolders(specs: readonly LoadedSpec[]): void {
  for (const [i, { name, file }] of specs.entries()) {
    const other = specs.findIndex((spec) => spec.name === name)
    if (other === i) continue
    const earlier = specs[other]?.file
    if (file === earlier)
      throw new Problem('usage', `${file} is given twice`, { hint: 'To run it several times: --repeat.' })
    throw new Problem('usage', `${file} and ${earlier} have the same name "${name}", so the same folder of results`, {
      hint: 'Give one of them another "name", or run them apart with --out.',
    })
  }
}
