import { systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { findDriver, requireDriver } from '../../load/engines/driver/installed-driver.ts'
import { type LoadDriver, loadDriverFrom, bundledDriver } from '../../load/engines/driver/load-driver.ts'
import { loadFunctions } from '../../load/engines/load-functions.ts'
import { redisSecrets } from '../../run/agents/redis-secrets.ts'
import { refuseForAgents } from '../../run/preflight/check-abilities.ts'
import { preflightUris } from '../../run/preflight/preflight.ts'
import { checkThresholdSamples } from '../../run/preflight/threshold-samples.ts'
import { refuseUnread, variablesRead } from '../../run/preflight/unread-uris.ts'
import { planTurns, targetsToRun } from '../../run/turns/plan-turns.ts'
import { workingFolder } from '../../servers/machine.ts'
import { findSecrets } from '../../servers/targets/connection/redact.ts'
import { notesOnUris } from '../../servers/targets/existing/reach-existing.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { type CliContext } from '../cli-context.ts'
import { type RunFlags } from '../commands/run.ts'
import { queueOfRun } from '../options/queue-option.ts'
import { readServers, readUris, type Uris } from '../options/servers.ts'
import { toOverrides } from '../options/spec-options.ts'
import { besideSpec, openDocument, refuseLayoutAlone } from '../results/into-document.ts'
import { openBaselines } from '../results/use-baselines.ts'
import { findSpecs } from '../specs/find-specs.ts'
import { type Loading, loadSpecs } from '../specs/load-specs.ts'
import { createContextFromFlags } from '../start-context.ts'
import { createLogger } from '../terminal/logger.ts'
import { agentsAt } from './agents-at.ts'
import { openLiveOutputs } from './live-outputs.ts'
import { runJobs, toJob } from './run-jobs.ts'

/** Validates all specs and finds what they need before the first one starts. Then runs one after the other and prints each report. */
export async function runSpecs(given: readonly string[], flags: RunFlags, cli: CliContext): Promise<void> {
  refuseLayoutAlone(flags)
  const uris = readUris(flags.uri ?? [], cli.env, readServers(flags.servers ?? []))
  refuseOtherTargets(flags, uris)
  const queue = queueOfRun(flags, cli.env)
  const existing = flags.target === 'existing' || uris.replacement !== undefined
  const files = (await Promise.all(given.map(findSpecs))).flat()
  const functions = await loadFunctions(flags.functions ?? {})
  const overrides = { ...toOverrides(flags), existing, functions: functions.named }
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
  const jobs = await Promise.all(specs.map((spec, i) => toJob(spec, specs.length - i - 1, flags)))
  const specFiles = new Map(specs.map(({ name, file }) => [name, file]))
  const document =
    flags.into === undefined
      ? undefined
      : await openDocument(flags.into, cli, {
          ...flags,
          specs: given,
          results: jobs,
          findProse: (name) => besideSpec(specFiles.get(name) ?? ''),
        })
  const useBaselines = await openBaselines(specs, flags, cli)
  const secrets = [...uris.all.flatMap(findSecrets), ...(queue === undefined ? [] : redisSecrets(queue))]
  const driver = await loadRequestedDriver(flags)
  const log = createLogger({ level: flags.logLevel, json: flags.logJson === true, secrets }, cli)
  if (!flags.quiet) cli.printStatus(unreadVariables(uris, variablesRead(specs)))
  await using start = createContextFromFlags(flags, uris, cli, (message) => log.info(message))
  preflightUris(
    jobs.flatMap((job) => planTurns(job.spec, job).rowsToRun),
    start,
  )
  if (!flags.quiet) for (const note of notesOnUris(variablesRead(specs), start)) cli.printStatus(note)
  await using live = await openLiveOutputs(flags, systemClock, cli)
  if (queue !== undefined) for (const spec of specs) refuseForAgents(spec, driver ?? bundledDriver())
  await using agents = queue === undefined ? undefined : await agentsAt(queue, flags, cli)
  for (const job of jobs) await agents?.check(job.spec, targetsToRun(planTurns(job.spec, job)), start)
  await runJobs(jobs, { flags, start, driver, functions, log, secrets, document, useBaselines, live, agents }, cli)
}

/** @throws The error of the first spec that cannot run, before anything is started. */
const collectLoadedSpecs = (loadings: readonly Loading[]): readonly LoadedSpec[] =>
  loadings.flatMap((loading) => {
    if (loading.kind === 'failed') throw loading.error
    return loading.kind === 'loaded' ? loading.spec : []
  })

const loadRequestedDriver = async ({ driver }: RunFlags): Promise<LoadDriver | undefined> =>
  driver === undefined ? undefined : loadDriverFrom(requireDriver(findDriver(driver, workingFolder())))

function refuseOtherTargets({ servers, target, reference }: RunFlags, { replacement }: Uris): void {
  if (servers === undefined) return
  if (replacement !== undefined || target !== undefined)
    throw new Problem('usage', '--servers names the servers to measure, and so do --uri without a name and --target', {
      hint: 'Give --servers alone: --servers small=mongodb://…,large=mongodb://…',
    })
  if (reference)
    throw new Problem('usage', '--reference compares the rows of one server with published figures', {
      hint: 'Leave it out, or measure each server in a run of its own.',
    })
}

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
