import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { compareResults, type CompareOptions } from '../../report/comparison/compare-results.ts'
import { type ComparedFigure } from '../../report/comparison/comparison.ts'
import { findDifferences } from '../../report/comparison/differences.ts'
import { packResult } from '../../results/files/pack-result.ts'
import { createResultFile, isMeasured, type ResultFile } from '../../results/files/result-file.ts'
import { type Result } from '../../results/schema.ts'
import { type SideName } from '../../results/schema/pairing.ts'
import { databaseLeft } from '../../run/data/database-left.ts'
import { preflightBinaries, preflightUris } from '../../run/preflight/preflight.ts'
import { refuseUnread, variablesRead } from '../../run/preflight/unread-uris.ts'
import { planTurns, targetsToRun } from '../../run/turns.ts'
import { thisMachine } from '../../servers/machine.ts'
import { type Fetching } from '../../servers/targets/server/programs/find-program.ts'
import { createStartContext } from '../../servers/targets/start/start-context.ts'
import { type Overrides } from '../../spec/parse/overrides.ts'
import { type SpecInput } from '../../spec/spec-input.ts'
import { loadSpec } from '../../spec/spec-text.ts'
import { prepareTurns } from './before-turns.ts'
import { type SaveResult } from './keep-results.ts'
import { lendServers, type LentServers } from './lend-servers.ts'
import { type AbOutcome, type AbProgress, runRounds, type Stop, type Way } from './run-rounds.ts'
import { runInProcess, type RunSide } from './run-side.ts'
import { intendedDifferences, type OwnSides, prepareSide, type Side, type SideOptions } from './sides.ts'
import { whyRounds } from './why-rounds.ts'

/** Options of `ab`. What a spec is given beside `a` and `b` is for both sides. */
export type AbOptions = Pick<
  Overrides,
  'profile' | 'set' | 'engine' | 'usualEngine' | 'only' | 'allowWrites' | 'allow' | 'allowStepDown' | 'freshServers'
> &
  CompareOptions & {
    /** Options of side A alone. Default: none. */
    readonly a?: SideOptions
    /** Options of side B alone. Default: none. */
    readonly b?: SideOptions
    /** The folder for `a/result.json` and `b/result.json`, written after each run of a side. */
    readonly out: string
    /**
     * How many rounds of whole runs; below 6 there is no verdict. Default: turns where A and B can stand beside each other, else 10
     * rounds.
     */
    readonly rounds?: number | undefined
    /** Add rounds of whole runs until every verdict is clear, for a maximum of seconds, instead of a fixed number. */
    readonly untilClear?: { readonly budgetSeconds: number } | undefined
    /**
     * The time of turns, in seconds, with all that is started. Default 60. They end as soon as throughput has a clear verdict, of
     * open loops the response times too, or the metrics in `measures`; three rounds take as long as they take.
     * @throws {Problem} "usage" where turns are not possible.
     */
    readonly budgetSeconds?: number | undefined
    /** The seed of the order of both sides in each round. Default: that of the spec. */
    readonly seed?: number | undefined
    /** The variable whose URI replaces the targets of both sides. Default: none. */
    readonly uriFrom?: string | undefined
    /** URIs by the variables that sides and targets name; others are those of `env`. Secrets: they appear in no result and no message. */
    readonly uris?: Readonly<Record<string, string>>
    /** How messages name URIs that their variables do not hold, by these. Default: all are named by their variables. */
    readonly givenAs?: Readonly<Record<string, string>>
    /** Whether servers on other machines are allowed. Default false. */
    readonly allowRemote?: boolean
    /** Path of the module whose exports are the functions of the spec, on both sides. Default: none. */
    readonly functions?: string | undefined
    /** Path of the `mongod` to start. Default: the one that `mongo-perf doctor` shows. */
    readonly mongod?: string | undefined
    /** Whether to drop time lines, histograms and individual timings. Default false. */
    readonly compact?: boolean
    /** Variables for URIs and for the processes that run the sides. Default: those of this process. */
    readonly env?: Readonly<Record<string, string | undefined>>
    /** Ends the running side. The outcome then has the rounds that were finished. */
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: AbProgress) => void
    /** Called before each turn of a side, when no call of either side is under way: it may change the server for it. */
    readonly beforeTurn?: (side: SideName) => Promise<void>
    /** Called before anything runs, where nothing was said about rounds and turns are not possible, with the reason. */
    readonly onRounds?: (because: string) => void
    /** Called before anything runs with each remark on how a spec differs from its file or from a dump. */
    readonly onRemark?: (remark: string) => void
    /** A program that was not on this machine is being fetched. */
    readonly onFetch?: ((fetching: Fetching) => void) | undefined
    /** Called with the new place of an earlier result. */
    readonly onPrevious?: (place: string) => void
  }

/** Work of both sides that is none of their specs. */
type OwnWorkOption = { readonly own?: OwnSides | undefined }

/** Processes, servers and time, which a test replaces. */
export type AbContext = {
  readonly runSide: RunSide
  readonly clock: Clock
  /** Looks for what the targets of both sides need. */
  readonly preflight: (sides: readonly Side[]) => Promise<void>
  /** Keeps servers for the runs of both sides. Undefined: each run starts its own. */
  readonly keepServers: (sides: readonly Side[]) => LentServers | undefined
}

/**
 * Answers whether B is slower than A: runs both sides in turn, each run in a process of its own, and compares them round by round. Prints
 * nothing, and leaves no server running.
 * @throws {Problem} when a side is invalid or cannot run, or when the sides differ in more than what they are given.
 */
export function ab(spec: string | SpecInput, options: AbOptions & OwnWorkOption): Promise<AbOutcome> {
  const { env = process.env, signal, beforeTurn } = options
  return abWith(
    spec,
    { ...options, env },
    {
      runSide: beforeTurn ? prepareTurns(runInProcess(env), beforeTurn) : runInProcess(env),
      clock: systemClock,
      preflight: (sides) => preflight(sides, options, signal),
      keepServers: (sides) => lendServers(sides, env, signal ?? new AbortController().signal),
    },
  )
}

/** `ab` in a given context. */
export async function abWith(
  spec: string | SpecInput,
  options: AbOptions & OwnWorkOption,
  { runSide, clock, preflight: lookForNeeds, keepServers }: AbContext,
): Promise<AbOutcome> {
  const { a = {}, b = {}, signal = new AbortController().signal, onProgress = () => {}, onRemark = () => {} } = options
  const given = { a, b }
  refuseNoSettings(given)
  refuseTwoStopRules(options)
  const sides = { a: await prepareComparedSide(spec, a, options), b: await prepareComparedSide(spec, b, options) }
  new Set([...sides.a.loaded.remarks, ...sides.b.loaded.remarks]).forEach(onRemark)
  const { way, stop } = chooseWay(options, [sides.a, sides.b])
  await refuseUnreadUris(Object.keys(options.uris ?? {}), [sides.a, sides.b])
  await lookForNeeds([sides.a, sides.b])
  const files = { a: createSideResultFile('a', options), b: createSideResultFile('b', options) }
  for (const { prepare } of Object.values(files)) await prepare()
  const plan = { id: randomUUID(), seed: options.seed ?? sides.a.loaded.seed, way, stop, sides }
  const outcome = await runRounds(plan, {
    runSide,
    keepServers: () => keepServers([sides.a, sides.b]),
    isAwaited: (figure) => way === 'runs' || options.measures !== undefined || isLeading(figure),
    clock,
    signal,
    onProgress,
    save: saveTogether(files),
    compare(ofA, ofB) {
      const found = findDifferences(ofA, ofB).map(({ name }) => name)
      const differences = [...(options.differences ?? []), ...intendedDifferences(given, found)]
      return compareResults(ofA, ofB, { ...options, differences })
    },
  })
  const left = (['a', 'b'] as const).flatMap((side) =>
    databaseLeft(sides[side].loaded, { ownLoad: options.own, turns: way === 'turns' ? { side } : undefined }),
  )
  return { ...outcome, left: [...new Set(left)] }
}

const createSideResultFile = (side: SideName, { out, onPrevious = () => {} }: AbOptions): ResultFile =>
  createResultFile(join(out, side, 'result.json'), { onPrevious })

/** Saves results so that those of an earlier comparison stay, both of them, until A and B have both measured something. */
function saveTogether(files: Readonly<Record<SideName, ResultFile>>): SaveResult {
  const results: Partial<Record<SideName, Result>> = {}
  return async (side, result) => {
    results[side] = result
    const both = hasMeasured(results.a) && hasMeasured(results.b)
    for (const name of ['a', 'b'] as const) {
      const kept = results[name]
      if (kept !== undefined && (name === side || !files[name].isWritten()))
        await files[name].save(packResult(kept), both)
    }
  }
}

const hasMeasured = (result: Result | undefined): boolean => result?.variants.some(isMeasured) ?? false

function prepareComparedSide(
  spec: string | SpecInput,
  ofSide: SideOptions,
  options: AbOptions & OwnWorkOption,
): Promise<Side> {
  const { profile, set, engine, usualEngine, only, allowWrites, allow, allowStepDown, freshServers } = options
  return prepareSide(spec, ofSide, {
    overrides: { profile, set, engine, usualEngine, only, allowWrites, allow, allowStepDown, freshServers },
    functions: options.functions,
    mongod: options.mongod,
    uriFrom: options.uriFrom,
    uris: { ...options.env, ...options.uris },
    givenAs: options.givenAs ?? {},
    allowRemote: options.allowRemote ?? false,
    compact: options.compact ?? false,
    workingFolder: thisMachine({}).workingFolder,
    own: options.own,
  })
}

/** Rows that `only` leaves out may read URIs too. */
async function refuseUnreadUris(given: readonly string[], sides: readonly Side[]): Promise<void> {
  if (given.length === 0) return
  const wholes = await Promise.all(
    sides.map(({ run: { spec, overrides }, loaded }) =>
      loadSpec(spec, { ...overrides, columns: loaded.overrides.columns, only: [] }),
    ),
  )
  refuseUnread(given, new Set([...variablesRead(wholes), ...sides.flatMap(({ uriFrom }) => uriFrom ?? [])]))
}

function refuseNoSettings(sides: Readonly<Record<SideName, SideOptions>>): void {
  if (Object.values(sides).some((options) => Object.keys(options).length > 0)) return
  throw new Problem('usage', 'A and B are the same: neither has its own setting', {
    hint: 'Add --b name=value, engine:wire, driver:<package>, functions:<module>, mongod:<path> or uri:<name>; or name a second spec. To see what noise does, give both sides the same setting.',
  })
}

function refuseTwoStopRules({ rounds, untilClear, budgetSeconds }: AbOptions): void {
  const given = Object.entries({ rounds, untilClear, budgetSeconds }).flatMap(([name, value]) =>
    value === undefined ? [] : `"${name}"`,
  )
  if (given.length < 2) return
  throw new Problem('usage', 'The number of rounds is either fixed or found by adding rounds until it is clear', {
    hint: `Leave out ${given.join(' or ')}.`,
  })
}

export const defaultBudgetSeconds = 60

/** Turns, unless rounds are asked for or nothing else is possible. */
function chooseWay(
  { rounds, untilClear, budgetSeconds, onRounds = () => {} }: AbOptions,
  sides: readonly Side[],
): { readonly way: Way; readonly stop: Stop } {
  if (rounds !== undefined) return { way: 'runs', stop: { kind: 'rounds', rounds } }
  if (untilClear !== undefined)
    return { way: 'runs', stop: { kind: 'clear', budgetMs: untilClear.budgetSeconds * 1000 } }
  const because = whyRounds(sides)
  if (because === undefined)
    return { way: 'turns', stop: { kind: 'clear', budgetMs: (budgetSeconds ?? defaultBudgetSeconds) * 1000 } }
  if (budgetSeconds !== undefined)
    throw new Problem('usage', `A budget is the time of alternating turns, which are not possible: ${because}`, {
      hint: 'Add --until-clear, or fix the number of rounds with --rounds.',
    })
  onRounds(because)
  return { way: 'runs', stop: { kind: 'rounds', rounds: 10 } }
}

/** Whether a figure says which side is slower: throughput, and of open loops, whose throughput is planned, response times. */
const isLeading = ({ measure }: ComparedFigure): boolean => /(?:^|\.)(?:opsPerSecond|response\w+Ms)$/.test(measure)

/** Checks both sides before the first one runs: their URIs before any binary, since that may have to be fetched. */
async function preflight(
  sides: readonly Side[],
  { env = process.env, onFetch }: AbOptions,
  signal = new AbortController().signal,
): Promise<void> {
  const checked = sides.map(({ loaded, run: { uri, uris, givenAs, allowRemote, mongod } }) => {
    const given: Readonly<Record<string, string>> = uri === undefined ? uris : { MONGO_PERF_URI: uri }
    const plan = planTurns(loaded, {})
    const reach = { uri: (variable: string) => given[variable], givenAs, allowRemote }
    preflightUris(plan.rowsToRun, reach)
    return { plan, reach, mongod }
  })
  for (const { plan, reach, mongod } of checked) {
    await using start = createStartContext({
      ...reach,
      machine: thisMachine(env),
      mongod,
      signal,
      log: () => {},
      onFetch,
    })
    await preflightBinaries(targetsToRun(plan), start)
  }
}
