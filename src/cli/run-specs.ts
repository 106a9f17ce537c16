import { join } from 'node:path'
import { type BenchmarkOptions, runBenchmark } from '../benchmark.ts'
import { systemClock } from '../clock.ts'
import { Problem, problems } from '../errors.ts'
import { type LoadedSpec, loadSpecFile } from '../load-spec.ts'
import { missedThresholds, unforeseenFailures } from '../report/thresholds.ts'
import { readResult } from '../results/results-file.ts'
import { type Result } from '../results/schema.ts'
import { type OnProgress } from '../run/progress.ts'
import { createStartContext } from '../targets/start-context.ts'
import { thisMachine } from '../targets/server/machine.ts'
import { secretsOf } from '../targets/redact.ts'
import { type RunFlags } from './commands/run.ts'
import { findSpecs } from './find-specs.ts'
import { createLogger } from './logger.ts'
import { showProgress } from './show-progress.ts'
import { overridesOf } from './spec-options.ts'
import { readUris, type Uris } from './uris.ts'
import { type World } from './world.ts'
import { writeReport } from './write-report.ts'

/** Checks all specs before the first one starts, then runs one after the other and prints each report. */
export async function runSpecs(given: readonly string[], flags: RunFlags, world: World): Promise<void> {
  const uris = readUris(flags.uri, world.env)
  const existing = flags.target === 'existing' || uris.replacement !== undefined
  const files = (await Promise.all(given.map(findSpecs))).flat()
  const specs = await Promise.all(files.map((file) => loadSpecFile(file, { ...overridesOf(flags), existing })))
  refuseSharedFolders(specs)
  for (const spec of specs) {
    if (world.stop.aborted) break
    const result = await runSpec(spec, flags, uris, world)
    world.exitWith(judge(result, world))
  }
}

async function runSpec(spec: LoadedSpec, flags: RunFlags, uris: Uris, world: World): Promise<Result> {
  const folder = join(flags.out, spec.name)
  const resultFile = join(folder, 'result.json')
  const secrets = uris.all.flatMap(secretsOf)
  const log = createLogger({ level: flags.logLevel, json: flags.logJson === true, secrets }, world)
  await using start = createStartContext({
    machine: thisMachine(world.env),
    mongod: flags.mongod,
    uri: uris.get,
    allowRemote: flags.allowRemote === true,
    signal: world.stop,
    hurry: world.hurry,
    log: (message) => log.info(message),
  })
  const options: BenchmarkOptions = {
    start,
    clock: systemClock,
    signal: world.stop,
    onProgress: withCommands(flags.quiet ? () => {} : showProgress(world), flags, world),
    resultFile,
    resume: flags.resume ? await readResult(resultFile) : undefined,
    repeat: flags.repeat,
    secrets,
  }
  const result = await runBenchmark(spec, options)
  await writeReport(result, folder, flags.format, world)
  return result
}

/** Shows the commands of a server once, before the first row that it serves. */
function withCommands(onProgress: OnProgress, { showCommands }: RunFlags, { tell }: World): OnProgress {
  let shown = ''
  return (event) => {
    if (showCommands && event.kind === 'row') {
      const commands = event.variant.commands.join('\n')
      if (commands !== shown && commands !== '') tell(`${commands}\n`)
      shown = commands
    }
    onProgress(event)
  }
}

function refuseSharedFolders(specs: readonly LoadedSpec[]): void {
  for (const [i, { name, file }] of specs.entries()) {
    const other = specs.findIndex((spec) => spec.name === name)
    if (other !== i) throw new Problem('usage', `${file} and ${specs[other]?.file} have the same name "${name}", so the same folder of results`, { hint: 'Give one of them another "name", or run them apart with --out.' })
  }
}

/** The exit code of a result, with the reasons told. */
function judge(result: Result, { tell }: World): number {
  if (result.status === 'aborted') return problems.aborted.exitCode
  const misses = missedThresholds(result)
  for (const { threshold, label, measured } of misses) {
    tell(`threshold missed: ${threshold}${label === '' ? '' : ` in row "${label}"`}: ${measured === null ? 'nothing was measured' : `measured ${Number(measured.toPrecision(6))}`}\n`)
  }
  if (misses.length > 0) return 5
  const failures = unforeseenFailures(result)
  if (failures > 0) tell(`${failures} operations failed; a threshold such as "errors < 10" would say how many may\n`)
  return failures > 0 ? 7 : 0
}
