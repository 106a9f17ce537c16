import { type Clock } from '../core/clock.ts'
import { hdrHistogram } from '../core/hdr-histogram.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { type Latency } from '../results/schema/latency.ts'
import { type OpenLoopResult } from '../results/schema/open-loop.ts'
import { type Peak, type Stretch } from '../results/schema/peak.ts'
import { alone, type Together } from './beside.ts'
import { type EvidencePart } from './evidence.ts'
import { type LoadUnit, type UnitRun } from './load-unit.ts'
import { findPeak } from './loops/find-peak.ts'
import { type EndedBecause } from './loops/limits.ts'
import { runBeside } from './loops/run-beside.ts'
import { type AvailabilityPart } from './measure/availability-record.ts'
import { type OpenWindow } from './measure/open-loop-record.ts'
import { type PhasePart } from './measure/phase-part.ts'
import { PhaseTotal } from './measure/phase-total.ts'
import { type ThroughputSeries } from './measure/throughput-total.ts'
import { type PartSink, precisionSink } from './part-sink.ts'
import { sumOfDigests } from './plan/digest.ts'
import { type LoadedPhase, type Pass, type StopAfter } from './plan/plan.ts'
import { type NumberedRows } from './plan/row-numbers.ts'
import { computeSharePart, createShares } from './plan/share.ts'
import { leadInSeconds, type Stretches } from './stretches.ts'

/** How a pass went, over all units. Times are the clock's, in milliseconds. */
export type PassRun = {
  readonly startMs: number
  /** Time of the last answer; of an open loop the end of its plan, if that was later. */
  readonly endMs: number
  readonly endedBecause: EndedBecause
  readonly digest: string
  readonly units: readonly UnitRun[]
  /** Row numbers that no unit has used, because they ended at different operations. */
  readonly rowGaps: number
  /** Whether `latest` picked among the rows of each unit alone. */
  readonly latestByThread: boolean
}

/** How the load of a phase went. */
export type LoadRun = PassRun & {
  /** Wall-clock time at which the window began. */
  readonly startedAt: Date
  readonly wallSeconds: number
  /** Peak of a saturation search. */
  readonly peak?: Peak
  /** With and without the load beside it that is on and off in turn. */
  readonly stretches?: readonly Stretch[]
  readonly operations: OperationResult[]
  /** Null: the loop is closed. */
  readonly openLoop: OpenLoopResult | null
  /** Waits for a connection. Null: the phase has no pool, or nothing was sent. */
  readonly poolWait: Latency | null
  readonly availability: AvailabilityPart
  readonly throughput: ThroughputSeries
}

/** Options for running the load of a phase. */
export type LoadOptions = {
  readonly phase: LoadedPhase
  /** Together they run all shares of the phase. */
  readonly units: readonly LoadUnit[]
  /** Their row numbers go on where the units have stopped. */
  readonly dataSets: readonly NumberedRows[]
  readonly clock: Clock
  /** The loads beside it. Default: none. */
  readonly together?: Together | undefined
  /** Ends the phase: calls under way are waited for. */
  readonly signal: AbortSignal
  /** Default: none. */
  readonly sinks?: readonly PartSink[]
  /** Takes the evidence of each part, in every pass. */
  readonly onEvidence?: (evidence: readonly EvidencePart[]) => void
  /** Called before the window, which waits for it. */
  readonly onWindowOpens?: () => Promise<void>
  /** The window begins then. */
  readonly onStart?: (windowStartMs: number) => void
  /** Called after the window, while the connections are still open. */
  readonly onWindowCloses?: (run: LoadRun) => Promise<void>
}

/** Settings of a run that differ from pass to pass, and from step to step of a search. */
export type PassRequest = {
  readonly name: string
  readonly pass: Pass
  readonly stopAfter: StopAfter
  /** Workers of all units. */
  readonly workers: number
  /** Not before that. Default: as soon as the units can. */
  readonly startMs?: number
  /** Default: when the pass begins. */
  readonly windowStartMs?: number
  /** Seconds go on from so much that has been measured before. */
  readonly measuredMs?: number
  readonly goesOn?: boolean
  readonly onPart?: (part: PhasePart) => void
}

/** Connects, warms up, runs the measured pass, and what an open load does after it: the same for any number of units. */
export function runLoad(options: LoadOptions): Promise<LoadRun> {
  const { phase } = options
  return onUnits(options, async (warmedUp) => {
    const run = await measureWindow(options, warmedUp?.rowGaps)
    if (phase.load.kind === 'open' && phase.load.cooldown && isWhole(run))
      await runPass({ ...unmeasured(phase), pass: 'cool-down', stopAfter: phase.load.cooldown }, options)
    return run
  })
}

/**
 * Connects, warms up, and runs the measured pass in turns with another load: a window for each turn, whose calls go on where those of the turn
 * before have ended.
 * @returns how the last window went. Undefined: there was no turn.
 */
export function runStretches({ next }: Stretches, options: LoadOptions): Promise<LoadRun | undefined> {
  const { phase } = options
  return onUnits(options, async (warmedUp) => {
    let run: LoadRun | undefined
    for (let seconds = await next(); seconds !== undefined; seconds = await next()) {
      const goesOn = warmedUp !== undefined || run !== undefined
      await runPass({ ...unmeasured(phase), pass: 'warm-up', stopAfter: { seconds: leadInSeconds }, goesOn }, options)
      run = await measureWindow({ ...options, phase: { ...phase, stopAfter: { seconds } } }, 0, run !== undefined)
      if (!isWhole(run)) break
    }
    return run
  })
}

const unmeasured = ({ name, load, workers }: LoadedPhase): Pick<PassRequest, 'name' | 'workers'> => ({
  name,
  workers: load.kind === 'findPeak' ? load.from : workers,
})

/** Connects and warms up, and stops the units when the phase is to end. */
async function onUnits<Run>(
  options: LoadOptions,
  measure: (warmedUp: PassRun | undefined) => Promise<Run>,
): Promise<Run> {
  const { phase, units, signal } = options
  // Loaded at the end of the first window, it would count as load of the client.
  hdrHistogram()
  const stopAll = (): void => units.forEach((unit) => unit.stop('aborted'))
  signal.addEventListener('abort', stopAll)
  try {
    await connect(units, unmeasured(phase).workers)
    // Not before: a thread has no unit to stop until it has been asked to connect.
    if (signal.aborted) stopAll()
    const { warmup } = phase
    return await measure(
      warmup && (await runPass({ ...unmeasured(phase), pass: 'warm-up', stopAfter: warmup }, options)),
    )
  } finally {
    signal.removeEventListener('abort', stopAll)
  }
}

const isWhole = ({ endedBecause }: PassRun): boolean =>
  endedBecause !== 'everything failed' && endedBecause !== 'aborted'

/** @param rowGaps Those that the warm-up left. */
async function measureWindow(options: LoadOptions, rowGaps = 0, goesOn = false): Promise<LoadRun> {
  const { phase, units, clock, signal, together = alone } = options
  const { fromSeconds = 0 } = phase.beside ?? {}
  if (fromSeconds === 0) await options.onWindowOpens?.()
  const beganMs = await together.meet(soonest(units, clock))
  if (fromSeconds > 0) {
    await clock.sleep(beganMs + fromSeconds * 1000 - clock.now(), signal)
    await options.onWindowOpens?.()
  }
  const measured = await runMeasured(options, beganMs, goesOn)
  const run = { ...measured, rowGaps: measured.rowGaps + rowGaps }
  await options.onWindowCloses?.(run)
  return run
}

/** The earliest time at which all units can begin. */
const soonest = (units: readonly LoadUnit[], { now }: Pick<Clock, 'now'>): number =>
  now() + Math.max(...units.map(({ leadMs }) => leadMs))

const connect = async (units: readonly LoadUnit[], workers: number): Promise<void> => {
  const parts = splitWorkers(units, workers)
  await Promise.all(units.map((unit, i) => unit.connect(parts[i] ?? 0)))
}

/** Splits workers over units, by their shares. */
function splitWorkers(units: readonly LoadUnit[], workers: number): readonly number[] {
  const shares = createShares(units.reduce((sum, unit) => sum + unit.shares, 0))
  let next = 0
  return units.map((unit) =>
    shares.slice(next, (next += unit.shares)).reduce((sum, share) => sum + computeSharePart(workers, share), 0),
  )
}

async function runMeasured(options: LoadOptions, beganMs: number, goesOn: boolean): Promise<LoadRun> {
  const { phase, units, clock, onStart, sinks = [] } = options
  const { precisionPercent } = phase.stopAfter
  const stopAll = (): void => units.forEach((unit) => unit.stop('precision'))
  const untilPrecise = precisionPercent === undefined ? [] : [precisionSink(precisionPercent, stopAll)]
  const within = { ...options, sinks: [...sinks, ...untilPrecise] }
  const total = new PhaseTotal(phase)
  let startedAt: Date | undefined
  const measure = async (request: Omit<PassRequest, 'pass'>): Promise<PassRun> =>
    await runPass({ ...request, pass: 'measured' }, within, {
      start(startMs) {
        if (startedAt !== undefined) return
        startedAt = new Date(clock.date().getTime() + startMs - clock.now())
        onStart?.(startMs)
      },
      take(part, completeBefore) {
        total.add(part)
        total.closeBefore(completeBefore)
      },
    })
  const request = { ...unmeasured(phase), goesOn }
  const alternation = phase.beside?.alternation
  const run =
    phase.load.kind === 'findPeak'
      ? await findPeak({ phase, search: phase.load, connect: (workers) => connect(units, workers), runStep: measure })
      : alternation === undefined
        ? await measure({ ...request, stopAfter: phase.stopAfter, startMs: beganMs })
        : await runBeside({
            ...alternation,
            alternates: alternation.load === phase.name,
            meet: () => (options.together ?? alone).meet(soonest(units, clock)),
            leadIn: (lead) => runPass({ ...request, ...lead, pass: 'warm-up' }, options),
            measure: (stretch) => measure({ ...request, ...stretch }),
          })
  return {
    ...run,
    startedAt: startedAt ?? clock.date(),
    wallSeconds: (run.endMs - run.startMs) / 1000,
    operations: total.operations(),
    openLoop: total.openLoop(summarizeOpenWindow(run)),
    poolWait: total.poolWait,
    availability: total.availability,
    throughput: total.throughput(run.endMs - run.startMs),
  }
}

function summarizeOpenWindow({ units, startMs, endMs }: PassRun): OpenWindow {
  const loops = units.flatMap(({ openLoop }) => openLoop ?? [])
  const sentUntilMs = loops.length === 0 ? endMs : Math.max(...loops.map((loop) => loop.sentUntilMs))
  return {
    seconds: (sentUntilMs - startMs) / 1000,
    peakInFlight: loops.reduce((sum, loop) => sum + loop.peakInFlight, 0),
  }
}

type PassListener = {
  readonly start: (startMs: number) => void
  readonly take: (part: PhasePart, completeBefore: number) => void
}

const notMeasured: PassListener = { start: () => {}, take: () => {} }

async function runPass(
  { name, pass, stopAfter, workers, goesOn = false, onPart = () => {}, ...request }: PassRequest,
  { phase, units, dataSets, clock, sinks = [], onEvidence }: LoadOptions,
  listener = notMeasured,
): Promise<PassRun> {
  const startMs = Math.max(soonest(units, clock), request.startMs ?? 0)
  const { measuredMs = 0, windowStartMs = startMs - measuredMs } = request
  const firstRows = dataSets.map(({ numbers }) => numbers.next())
  const completeBefore = units.map(() => 0)
  const inFlight = units.map(() => 0)
  let unitsLeft = units.length
  const ofPass = {
    phase: name,
    operations: phase.operations.map((operation) => operation.name),
    pass,
    load: phase.load.kind,
    workers,
    stopAfter,
    startMs,
    windowStartMs,
  }
  listener.start(startMs)
  const parts = splitWorkers(units, workers)
  const ran = await Promise.all(
    units.map((unit, i) => {
      const asked = { pass, stopAfter, workers: parts[i] ?? 0, startMs, windowStartMs, firstRows, goesOn }
      return unit.run(asked, ({ recorded, evidence, ...ofUnit }) => {
        onPart(recorded)
        onEvidence?.(evidence)
        completeBefore[i] = ofUnit.completeBefore
        inFlight[i] = ofUnit.inFlight
        if (ofUnit.isLast) unitsLeft -= 1
        const ofAll = Math.min(...completeBefore)
        listener.take(recorded, ofAll)
        const of = {
          ...ofPass,
          nowMs: clock.now(),
          completeBefore: ofAll,
          inFlight: inFlight.reduce((sum, calls) => sum + calls, 0),
          isLast: unitsLeft === 0,
        }
        for (const sink of sinks) sink(recorded, of)
      })
    }),
  )
  const runs = ran.flat()
  let rowGaps = 0
  for (const [i, { numbers }] of dataSets.entries()) {
    const next = Math.max(...runs.map(({ rows }) => rows[i]?.next ?? 0))
    const taken = runs.reduce((sum, { rows }) => sum + (rows[i]?.taken ?? 0), 0)
    rowGaps += next - (runs[0]?.rows[i]?.first ?? next) - taken
    numbers.goOnFrom(next)
  }
  return {
    startMs,
    endMs: Math.max(...runs.map(({ endMs }) => endMs)),
    endedBecause: selectEnding(runs.map(({ endedBecause }) => endedBecause)),
    digest: sumOfDigests(runs.map(({ digest }) => digest)),
    units: runs,
    rowGaps,
    latestByThread: runs.some(({ rows }) => rows.some(({ isFollowedAlone }) => isFollowedAlone)),
  }
}

/** Reasons by weight: of several, the one that matters most for the pass. A unit of which everything failed ends alone. */
const byWeight: readonly EndedBecause[] = [
  'aborted',
  'precision',
  'seconds',
  'documents',
  'operations',
  'everything failed',
]

const selectEnding = (reasons: readonly EndedBecause[]): EndedBecause =>
  byWeight.find((reason) => reasons.includes(reason)) ?? 'aborted'
