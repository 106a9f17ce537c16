import { systemClock, type Clock } from '../clock.ts'
import { type PhaseEngine } from '../engines/engine.ts'
import { createLocalUnit } from '../load/local-unit.ts'
import { type PartSink } from '../load/part-sink.ts'
import { type LoadRun, runLoad } from '../load/run-load.ts'
import { startClientMeter } from '../measure/client-health.ts'
import { distributionOf, type LatencyPart, mergeLatencies, toLatency } from '../measure/latency.ts'
import { measureMachineSpeed } from '../measure/machine-speed.ts'
import { type PhasePart } from '../measure/phase-part.ts'
import { PhaseTotal } from '../measure/phase-total.ts'
import { wholePhase } from '../plan/share.ts'
import { placeKey, Stream } from '../random.ts'
import { type Depth, depthIn, type Rounds, roundsOf } from './depth.ts'
import { type CallLoad, functionEngine, planOfFunction, type TimedFunction } from './function-load.ts'
import { type MeasuredRound, type Measurement } from './measurement.ts'
import { makeFirstCalls } from './sent.ts'
import { SpeedRecord } from './speed-record.ts'
import { type CommandClient } from './watch-commands.ts'

/** How functions are measured. */
export type MeasureOptions = Partial<Rounds> & {
  /** Default: one worker. */
  readonly load?: CallLoad
  /** How much is measured. Default: as the variable MONGO_PERF says, else "quick". */
  readonly depth?: Depth
  /** Whether an expectation about which nothing can be said counts as missed. Default false. */
  readonly strict?: boolean
  /** Of the order in each round. Default 1. */
  readonly seed?: number
}

/** A function, with what it works with while its commands are looked at, and while it is timed. */
export type Calls = { readonly watched: TimedFunction; readonly timed: TimedFunction }

/** What measuring works with besides. */
export type MeasureContext = {
  readonly clock: Clock
  readonly machineSpeed: () => Promise<number>
  /** Those of all measurements that this one is seen beside. */
  readonly speeds: SpeedRecord
  readonly client: CommandClient | undefined
  readonly signal: AbortSignal
}

/**
 * Measures functions in turn: in each round all of them once, in an order drawn from the seed, so that what slows the machine
 * for a while slows all of them.
 */
export async function measureFunctions<Name extends string>(
  functions: Readonly<Record<Name, Calls>>,
  { load = { workers: 1 }, depth = depthIn(process.env), seed = 1, strict = false, ...length }: MeasureOptions,
  context: MeasureContext,
): Promise<Record<Name, Measurement>> {
  const series = Symbol('series')
  const measured: Measured[] = []
  for (const [name, { watched, timed }] of Object.entries<Calls>(functions)) {
    const firstCalls = await makeFirstCalls(watched, context.client)
    measured.push(new Measured({ name, depth, load, strict, series, ...firstCalls }, timed))
  }
  if (depth !== 'off') {
    const { rounds, seconds, warmupSeconds } = { ...roundsOf[depth], ...length }
    for (const one of measured) await one.warmUp(warmupSeconds, context)
    let speed = await context.machineSpeed()
    const order = new Stream(placeKey(seed, 'rounds'))
    for (let round = 0; round < rounds; round++)
      for (const one of shuffled(measured, order.at(round))) speed = await one.measureRound(seconds, speed, context)
  }
  return Object.fromEntries(measured.map((one) => [one.about.name, one.measurement(context.speeds)])) as Record<
    Name,
    Measurement
  >
}

/** One of the functions, and what its rounds have found so far. */
class Measured {
  readonly about: Pick<Measurement, 'name' | 'depth' | 'load' | 'strict' | 'series' | 'sent' | 'firstErrors'>
  readonly #rounds: MeasuredRound[] = []
  readonly #engine: PhaseEngine
  readonly #total: PhaseTotal
  #latency: LatencyPart | undefined

  constructor(about: Measured['about'], timed: TimedFunction) {
    this.about = about
    this.#engine = functionEngine(timed)
    this.#total = new PhaseTotal(planOfFunction(about, {}))
  }

  /** Calls that count nowhere. */
  async warmUp(seconds: number, context: MeasureContext): Promise<void> {
    await this.#run(seconds, context)
  }

  /**
   * @param before Machine speed before the round.
   * @returns that after it.
   */
  async measureRound(seconds: number, before: number, context: MeasureContext): Promise<number> {
    const readClient = startClientMeter()
    const run = await this.#run(seconds, context, (part) => this.#add(part))
    const client = readClient()
    const after = await context.machineSpeed()
    context.speeds.add(before, after)
    this.#rounds.push(roundOf(run, { client, machineSpeed: { before, after } }))
    return after
  }

  #run(seconds: number, { clock, signal }: MeasureContext, ...sinks: PartSink[]): Promise<LoadRun> {
    const phase = planOfFunction(this.about, { seconds })
    const unit = createLocalUnit({ phase, share: wholePhase, dataSets: [], engine: this.#engine, clock, evidence: [] })
    return runLoad({ phase, units: [unit], dataSets: [], clock, signal, sinks })
  }

  #add(part: PhasePart): void {
    this.#total.add(part)
    this.#latency = mergeLatencies(this.#latency, part.operations[0]?.calls.latency.ok)
  }

  measurement(speeds: SpeedRecord): Measurement {
    const [operation] = this.#total.operations()
    const errors = operation?.errors ?? []
    return {
      ...this.about,
      rounds: this.#rounds,
      machineSlowerPercent: speeds.slowerPercent(
        this.#rounds.flatMap(({ machineSpeed: { before, after } }) => [before, after]),
      ),
      calls: { ok: operation?.ok ?? 0, failed: (operation?.failed ?? 0) + (operation?.unknown ?? 0) },
      errors: errors.map(({ code, name, message, count }) => ({ code, name, message, count })),
      latency: this.#latency === undefined ? null : toLatency(this.#latency),
      distribution: this.#latency === undefined ? [] : distributionOf(this.#latency),
    }
  }
}

function roundOf({ operations, wallSeconds }: LoadRun, about: Pick<MeasuredRound, 'client' | 'machineSpeed'>) {
  const [operation] = operations
  const ok = operation?.latency.ok ?? null
  return {
    ...about,
    callsPerSecond: wallSeconds > 0 ? (operation?.ok ?? 0) / wallSeconds : 0,
    meanMs: ok && ok.meanMs,
    p50Ms: ok && ok.p50Ms,
    p99Ms: ok && ok.p99Ms,
  }
}

/** In an order that is drawn: the method of R. A. Fisher and F. Yates. */
function shuffled<Item>(items: readonly Item[], draws: Stream): readonly Item[] {
  const left = [...items]
  return items.flatMap(() => left.splice(draws.below(left.length), 1))
}

const ofProcess = new SpeedRecord()

/** What measuring needs outside of tests. */
export const measureContext = (client: CommandClient | undefined): MeasureContext => ({
  clock: systemClock,
  machineSpeed: () => measureMachineSpeed(systemClock),
  speeds: ofProcess,
  client,
  signal: new AbortController().signal,
})
