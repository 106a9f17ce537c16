import { type Clock, systemClock } from '../../core/clock.ts'
import { startFineTimer, type StartTimer } from '../../core/threads/fine-timer.ts'
import { leadInSeconds } from '../../load/courses/course.ts'
import { type CommandClient } from '../../load/engines/watch-commands.ts'
import { createLocalUnit } from '../../load/local-unit.ts'
import { startClientMeter } from '../../load/measure/client-health.ts'
import { computeDistribution, type LatencyPart, mergeLatencies, toLatency } from '../../load/measure/latency.ts'
import { measureMachineSpeed } from '../../load/measure/machine-speed.ts'
import { type PhasePart } from '../../load/measure/phase-part.ts'
import { PhaseTotal } from '../../load/measure/phase-total.ts'
import { type PartSink } from '../../load/part-sink.ts'
import { wholePhase } from '../../load/plan/share.ts'
import { type LoadRun, runLoad } from '../../load/run-load.ts'
import { median, ratio } from '../../metrics/statistics.ts'
import { mergeWork } from '../../metrics/work.ts'
import { drawTurnOrder } from '../turn-order.ts'
import { type MeasuredRound, type Measurement } from './measurement.ts'
import { printNote } from './runner-output.ts'
import { makeFirstCalls } from './sent.ts'
import { type Rounds, type Settings, budgetIn, TimeBudget } from './settings.ts'
import { takeTurn } from './turn.ts'
import { planOfRound, type Work } from './work/work.ts'

/** The machine speeds that were measured so far, in runs of the kernel per second. */
export class SpeedRecord {
  readonly #speeds: number[] = []

  add(...speeds: readonly number[]): void {
    this.#speeds.push(...speeds)
  }

  /** How far a speed lies below the median of all, in percent; negative: above. 0 where one of the two is not known. */
  slowerPercent(speed: number | null): number {
    const ofAll = median(this.#speeds)
    return speed === null || ofAll === null ? 0 : (1 - speed / ofAll) * 100
  }
}

export type MeasureContext = {
  readonly clock: Clock
  /** Default: open loops are woken by the clock. */
  readonly startTimer?: StartTimer
  readonly machineSpeed: () => Promise<number>
  /** Speeds of all measurements that this one is seen beside. */
  readonly speeds: SpeedRecord
  /** Time budget of all measurements together. */
  readonly budget: TimeBudget
  /** Waits until nothing else measures; the name is that of what waits. */
  readonly takeTurn: (name: string) => Promise<Disposable>
  readonly client: CommandClient | undefined
  readonly signal: AbortSignal
}

/**
 * Measures functions and operations in turn: in each round all of them once, in an order drawn from the seed, so that what slows the machine
 * for a while slows all of them.
 */
export async function measureWorks<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  settings: Settings,
  context: MeasureContext,
): Promise<Record<Name, Measurement>> {
  const { load, seed, strict } = settings
  const series = Symbol('series')
  const names = Object.keys(works).join(', ')
  const timing = context.budget.allow(settings, names)
  const notTimed = 'notTimed' in timing ? timing.notTimed : null
  const measured: Measured[] = []
  for (const [name, work] of Object.entries<Work>(works)) {
    const firstCalls = await makeFirstCalls(work.watched, context.client)
    measured.push(new Measured({ name, notTimed, load, strict, series, ...firstCalls }, work))
  }
  if (!('notTimed' in timing)) {
    const turn = await context.takeTurn(names)
    const startMs = context.clock.now()
    try {
      await measureRounds(measured, timing, seed, context)
    } finally {
      turn[Symbol.dispose]()
    }
    context.budget.spend(context.clock.now() - startMs)
  }
  return Object.fromEntries(measured.map((one) => [one.about.name, one.measurement(context.speeds)])) as Record<
    Name,
    Measurement
  >
}

async function measureRounds(
  measured: readonly Measured[],
  { rounds, seconds, warmupSeconds }: Rounds,
  seed: number,
  context: MeasureContext,
): Promise<void> {
  if (warmupSeconds > 0) for (const one of measured) await one.warmUp(warmupSeconds, context)
  let speed = await context.machineSpeed()
  const leadIn = measured.length > 1 ? { seconds: leadInSeconds } : undefined
  for (let round = 1; round <= rounds; round++)
    for (const one of drawTurnOrder(measured, seed, round))
      speed = await one.measureRound({ seconds, leadIn }, speed, context)
}

/** Lengths of a round: calls of a lead-in, after those of another function, are not measured. */
type RoundLength = { readonly seconds: number; readonly leadIn: { readonly seconds: number } | undefined }

/** A measured function or operation, and the findings of its rounds so far. */
class Measured {
  readonly about: Pick<Measurement, 'name' | 'notTimed' | 'load' | 'strict' | 'series' | 'sent' | 'firstErrors'>
  readonly #work: Work
  readonly #rounds: MeasuredRound[] = []
  readonly #total: PhaseTotal
  #latency: LatencyPart | undefined

  constructor(about: Measured['about'], work: Work) {
    this.about = about
    this.#work = work
    this.#total = new PhaseTotal(planOfRound(work.phase, about, {}))
  }

  /** Calls that count nowhere. */
  async warmUp(seconds: number, context: MeasureContext): Promise<void> {
    await this.#run({ seconds, leadIn: undefined }, context)
  }

  /**
   * @param before Machine speed before the round.
   * @returns that after it.
   */
  async measureRound(length: RoundLength, before: number, context: MeasureContext): Promise<number> {
    const readClient = startClientMeter()
    const run = await this.#run(length, context, (part, { pass }) => {
      if (pass === 'measured') this.#add(part)
    })
    const client = readClient()
    const after = await context.machineSpeed()
    context.speeds.add(before, after)
    this.#rounds.push(toMeasuredRound(run, { client, machineSpeed: { before, after } }))
    return after
  }

  async #run(
    { seconds, leadIn }: RoundLength,
    { clock, startTimer, signal }: MeasureContext,
    ...sinks: PartSink[]
  ): Promise<LoadRun> {
    const { phase: made, engine: sender } = this.#work
    const phase = { ...planOfRound(made, this.about, { seconds }), warmup: leadIn }
    const engine = { ...sender, warmUp: async () => {}, close: async () => {} }
    const unit = createLocalUnit({ phase, share: wholePhase, dataSets: [], engine, clock, startTimer, evidence: [] })
    try {
      return await runLoad({ phase, units: [unit], dataSets: [], clock, signal, sinks })
    } finally {
      await unit.end()
    }
  }

  #add(part: PhasePart): void {
    this.#total.add(part)
    this.#latency = mergeLatencies([this.#latency, part.operations[0]?.calls.latency.ok])
  }

  measurement(speeds: SpeedRecord): Measurement {
    const [operation] = this.#total.operations()
    const { sent } = this.about
    const errors = operation?.errors ?? []
    const machineSpeed = median(this.#rounds.flatMap((round) => [round.machineSpeed.before, round.machineSpeed.after]))
    return {
      ...this.about,
      work: sent.kind === 'seen' ? mergeWork(sent.calls.map(({ work }) => work)) : null,
      rounds: this.#rounds,
      machineSpeed,
      machineSlowerPercent: speeds.slowerPercent(machineSpeed),
      calls: { ok: operation?.ok ?? 0, failed: (operation?.failed ?? 0) + (operation?.unknown ?? 0) },
      errors: errors.map(({ code, name, message, count }) => ({ code, name, message, count })),
      latency: this.#latency === undefined ? null : toLatency(this.#latency),
      distribution: this.#latency === undefined ? [] : computeDistribution(this.#latency),
    }
  }
}

function toMeasuredRound({ operations, wallSeconds }: LoadRun, about: Pick<MeasuredRound, 'client' | 'machineSpeed'>) {
  const [operation] = operations
  const ok = operation?.latency.ok ?? null
  const made = operation === undefined ? 0 : operation.ok + operation.failed + operation.unknown
  return {
    ...about,
    cpuUs: ratio(about.client.cpuPercent * 10_000 * wallSeconds, made),
    callsPerSecond: wallSeconds > 0 ? (operation?.ok ?? 0) / wallSeconds : 0,
    meanMs: ok && ok.meanMs,
    p50Ms: ok && ok.p50Ms,
    p99Ms: ok && ok.p99Ms,
  }
}

const speedsOfProcess = new SpeedRecord()
let budgetOfProcess: TimeBudget | undefined
let hasWaited = false

/** Says once in a process that it waits: a test that takes too long then shows why. */
function noteWait(name: string): void {
  if (!hasWaited)
    printNote(`${name} waits for another process (such as another test file). The timeout of the test keeps running.`)
  hasWaited = true
}

/** Returns the environment of measurements outside of tests. */
export const measureContext = (client: CommandClient | undefined): MeasureContext => ({
  clock: systemClock,
  startTimer: startFineTimer,
  machineSpeed: () => measureMachineSpeed(systemClock),
  speeds: speedsOfProcess,
  budget: (budgetOfProcess ??= new TimeBudget(budgetIn(process.env), printNote)),
  takeTurn: (name) => takeTurn(() => noteWait(name)),
  client,
  signal: new AbortController().signal,
})
