import { type Turns } from '../load/courses/course.ts'
import { type ApplicationDriver, loadDriverFrom } from '../load/engines/driver/load-driver.ts'
import { loadFunctions } from '../load/engines/load-functions.ts'
import { type FunctionOn, type OperationFunction } from '../load/engines/operation-functions.ts'
import { createResultFile } from '../results/files/result-file.ts'
import { type Result } from '../results/schema.ts'
import { thisMachine } from '../servers/machine.ts'
import { findSecrets } from '../servers/targets/connection/redact.ts'
import { type LentTarget } from '../servers/targets/start/lent-target.ts'
import { createStartContext } from '../servers/targets/start/start-context.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { type Overrides } from '../spec/parse/overrides.ts'
import { type SpecInput } from '../spec/spec-input.ts'
import { loadSpec } from '../spec/spec-text.ts'
import { runBenchmark } from './benchmark.ts'
import { refuseUnread, variablesRead } from './preflight/unread-uris.ts'
import { createRunEnvironment, type OwnLoad } from './run-environment.ts'
import { listenForParts, listenForProgress, type OnProgress, type RunListener, type Sink } from './run-events.ts'

/** Options of `run`. Functions get the types of `On`, by default those of the driver of mongo-perf. */
export interface RunOptions<On = FunctionOn> extends Omit<Overrides, 'functions'> {
  /** Measure this server instead of the target of the spec. A secret: it appears in no result and no message. */
  readonly uri?: string
  /** URIs of existing targets, by the variable that the spec names. */
  readonly uris?: Readonly<Record<string, string>>
  /** Whether servers on other machines are allowed. Default false. */
  readonly allowRemote?: boolean
  /** Path of the `mongod` to start. Default: the one that `mongo-perf doctor` shows. */
  readonly mongod?: string
  /**
   * The driver that sends the calls, as your application imports it: `import * as mongodb from 'mongodb'`. Servers are set up
   * and observed with the driver of mongo-perf. Default: that driver for everything.
   */
  readonly driver?: ApplicationDriver
  /**
   * The functions that operations of the kind `function` call, by their names; or the path of a module that exports them, which is loaded, by
   * each thread of a phase too. Default: none.
   */
  readonly functions?: string | Readonly<Record<string, OperationFunction<On>>>
  /** Take what is measured while phases run. Default: none. */
  readonly sinks?: readonly Sink[]
  /** Variables for finding server binaries (PATH, MONGOMS_SYSTEM_BINARY, MONGO_PERF_MONGOS, XDG_CACHE_HOME). Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Runs of every row. Default: as in the spec. */
  readonly repeat?: number
  /** Ends the running phase. The result then has the finished rows and the status "aborted". */
  readonly signal?: AbortSignal
  /** Called with each event of the run: a row that is done, and once a second the progress of a load or a phase. Default: none. */
  readonly onProgress?: OnProgress
  /** Path of a result.json, written after every row. An earlier one is kept in "previous" next to it. Default: none. */
  readonly resultFile?: string
  /** Whether to drop time lines, histograms and individual timings. Default false. */
  readonly compact?: boolean
}

/** `run` of the library. */
export const runSpec = <On>(spec: string | SpecInput, options: RunOptions<On> = {}): Promise<Result> =>
  runSpecFor({ givenAs: options.uri === undefined ? {} : { MONGO_PERF_URI: '"uri"' } }, spec, options)

/** Servers and turns that the process of a comparison hands to its run. */
export type ComparedRun = {
  /** Servers that that process has started. Absent: the run starts its own. */
  readonly lent?: LentTarget | undefined
  /** Turns of its measured phases. Absent: each has one window. */
  readonly turns?: Turns | undefined
  /** Absent: operations of the spec make the load. */
  readonly ownLoad?: OwnLoad | undefined
  /** How messages name URIs, see `StartContext.givenAs`. */
  readonly givenAs: Readonly<Record<string, string>>
}

/** The same as a side of a comparison. */
export async function runSpecFor<On>(
  { lent, turns, ownLoad, givenAs }: ComparedRun,
  spec: string | SpecInput,
  options: RunOptions<On>,
): Promise<Result> {
  const {
    uri,
    uris = {},
    allowRemote,
    mongod,
    driver,
    functions = {},
    sinks,
    env = process.env,
    repeat,
    signal = new AbortController().signal,
    onProgress,
    resultFile,
    compact,
    ...others
  } = options
  const runFunctions = await loadFunctions(functions)
  const overrides = { ...others, functions: runFunctions.named }
  const loaded = await loadSpec(spec, uri === undefined ? overrides : { ...overrides, existing: true })
  const known = uri === undefined ? uris : { ...uris, MONGO_PERF_URI: uri }
  await refuseUnreadUris(Object.keys(uris), spec, loaded)
  const loadDriver = driver && (await loadDriverFrom(driver))
  await using start = createStartContext({
    machine: thisMachine(env),
    mongod,
    uri: (variable) => known[variable],
    givenAs,
    allowRemote: allowRemote === true,
    signal,
    log: () => {},
    lent,
  })
  const secrets = Object.values(known).flatMap(findSecrets)
  const environment = createRunEnvironment(start, {
    driver: loadDriver,
    functions: runFunctions,
    secrets,
    turns,
    ownLoad,
    listeners: createListeners(onProgress, sinks),
  })
  const output = resultFile === undefined ? undefined : createResultFile(resultFile)
  return await runBenchmark(loaded, environment, { start, output, repeat, compact })
}

/** Refuses URIs that no row of the spec reads, with those that "only" leaves out. */
async function refuseUnreadUris(given: readonly string[], spec: string | SpecInput, loaded: LoadedSpec): Promise<void> {
  if (given.length > 0) refuseUnread(given, variablesRead([await loadSpec(spec, { ...loaded.overrides, only: [] })]))
}

const createListeners = (onProgress: OnProgress | undefined, sinks: readonly Sink[] = []): readonly RunListener[] => [
  ...(onProgress === undefined ? [] : [listenForProgress(onProgress)]),
  ...(sinks.length > 0 ? [listenForParts(sinks)] : []),
]
