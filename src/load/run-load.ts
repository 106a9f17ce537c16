import { hdrHistogram } from '../core/hdr-histogram.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { type Latency } from '../results/schema/latency.ts'
import { type OpenLoopResult } from '../results/schema/open-loop.ts'
import { type WindowResult } from '../results/schema/windows.ts'
import { alternate } from './courses/alternate.ts'
import { follow, isWhole, leadInSeconds, once, type PassPlan, turns, type Turns } from './courses/course.ts'
import { type UnitRun } from './load-unit.ts'
import { type AvailabilityPart } from './measure/availability-record.ts'
import { type OpenWindow } from './measure/open-loop-record.ts'
import { PhaseTotal } from './measure/phase-total.ts'
import { type ThroughputSeries } from './measure/throughput-total.ts'
import { WindowFigures } from './measure/window-figures.ts'
import { alone, type Together } from './meeting.ts'
import { precisionSink } from './part-sink.ts'
import { connect, type LoadedUnits, type PassRun, runPass, soonest } from './run-pass.ts'

/** How the load of a phase went. */
export type LoadRun = PassRun & {
  /** Wall-clock time at which the window began. */
  readonly startedAt: Date
  readonly wallSeconds: number
  /** With and without the load that is on and off in turn. */
  readonly windows: readonly WindowResult[]
  readonly operations: OperationResult[]
  /** Null: the loop is closed. */
  readonly openLoop: OpenLoopResult | null
  /** Waits for a connection. Null: the phase has no pool, or nothing was sent. */
  readonly poolWait: Latency | null
  readonly availability: AvailabilityPart
  readonly throughput: ThroughputSeries
}

export type LoadOptions = LoadedUnits & {
  /** The loads that run at the same time. Default: none. */
  readonly together?: Together | undefined
  /** Ends the phase: calls under way are waited for. */
  readonly signal: AbortSignal
  /** Called before each window, which waits for it. */
  readonly onWindowOpens?: () => Promise<void>
  /** The window begins then. */
  readonly onStart?: (windowStartMs: number) => void
  /** Called after each window, while the connections are still open. */
  readonly onWindowCloses?: (run: LoadRun) => Promise<void>
}

/** Connects, warms up, measures a window, and does what an open load does after it: the same for any number of units. */
export function runLoad(options: LoadOptions): Promise<LoadRun> {
  const { load } = options.phase
  return onUnits(options, async (warmedUp) => {
    const run = await measureWindow(options, warmedUp?.rowGaps)
    if (load.kind === 'open' && load.cooldown && isWhole(run))
      await runPass({ pass: 'cool-down', stopAfter: load.cooldown }, options)
    return run
  })
}

/**
 * Connects, warms up, and measures a window for each turn, whose calls go on where those of the turn before have ended.
 * @returns how the last window went. Undefined: there was no turn.
 */
export function runTurns(taking: Turns, options: LoadOptions): Promise<LoadRun | undefined> {
  const { phase } = options
  return onUnits(options, async (warmedUp) => {
    const runs = await follow<number, LoadRun>(turns(taking), async (seconds, { length }) => {
      const goesOn = warmedUp !== undefined || length > 0
      await runPass({ pass: 'warm-up', stopAfter: { seconds: leadInSeconds }, goesOn }, options)
      return await measureWindow({ ...options, phase: { ...phase, stopAfter: { seconds } } }, 0, length > 0)
    })
    return runs.at(-1)
  })
}

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
    await connect(options)
    // Not before: a thread has no unit to stop until it has been asked to connect.
    if (signal.aborted) stopAll()
    const { warmup } = phase
    return await measure(warmup && (await runPass({ pass: 'warm-up', stopAfter: warmup }, options)))
  } finally {
    signal.removeEventListener('abort', stopAll)
  }
}

/**
 * @param rowGaps Those that the warm-up left.
 * @param goesOn Whether its calls go on where those of the window before have ended.
 */
async function measureWindow(options: LoadOptions, rowGaps = 0, goesOn = false): Promise<LoadRun> {
  const { phase, clock, signal, together = alone } = options
  const { fromSeconds = 0, alternation } = phase.parallel ?? {}
  const meet = (): Promise<number> => together.meet(soonest(options))
  if (fromSeconds > 0) await clock.sleep((await meet()) + fromSeconds * 1000 - clock.now(), signal)
  await options.onWindowOpens?.()
  const window = openWindow(options, goesOn)
  const course =
    alternation === undefined
      ? once(phase.stopAfter, fromSeconds > 0 ? undefined : meet)
      : alternate(alternation, phase.name, meet)
  const measured = window.total(await follow<PassPlan, MeasuredPass>(course, window.measure))
  const run = { ...measured, rowGaps: measured.rowGaps + rowGaps }
  await options.onWindowCloses?.(run)
  return run
}

type MeasuredPass = PassRun & { readonly window?: WindowResult }

/** Adds the passes of a window up. Their seconds go on from pass to pass, without the time between them. */
function openWindow(options: LoadOptions, goesOn: boolean) {
  const { phase, units, clock, onStart, sinks = [] } = options
  const { precisionPercent } = phase.stopAfter
  const stopAll = (): void => units.forEach((unit) => unit.stop('precision'))
  const untilPrecise = precisionPercent === undefined ? [] : [precisionSink(precisionPercent, stopAll)]
  const within = { ...options, sinks: [...sinks, ...untilPrecise] }
  const total = new PhaseTotal(phase)
  let startedAt: Date | undefined

  function start(startMs: number): void {
    if (startedAt !== undefined) return
    startedAt = new Date(clock.date().getTime() + startMs - clock.now())
    onStart?.(startMs)
  }

  return {
    async measure(
      { startMs, leadInSeconds: seconds, stopAfter, of }: PassPlan,
      behind: readonly PassRun[],
    ): Promise<MeasuredPass> {
      const hasBegun = goesOn || behind.length > 0
      const lead =
        seconds === undefined
          ? undefined
          : await runPass({ pass: 'warm-up', startMs, stopAfter: { seconds }, goesOn: hasBegun }, options)
      const figures = of && new WindowFigures()
      const measuredMs = sumTimes(behind)
      const run = await runPass(
        { pass: 'measured', ...(!lead && { startMs }), stopAfter, measuredMs, goesOn: lead !== undefined || hasBegun },
        within,
        {
          start,
          take(part, completeBefore) {
            figures?.add(part)
            total.add(part)
            total.closeBefore(completeBefore)
          },
        },
      )
      const passSeconds = (run.endMs - run.startMs) / 1000
      return {
        ...run,
        rowGaps: run.rowGaps + (lead?.rowGaps ?? 0),
        ...(of && figures && { window: toWindow(of, passSeconds, figures) }),
      }
    },
    total(passes: readonly MeasuredPass[]): LoadRun {
      const run = joinPasses(passes)
      return {
        ...run,
        startedAt: startedAt ?? clock.date(),
        wallSeconds: (run.endMs - run.startMs) / 1000,
        windows: passes.flatMap(({ window, endedBecause }) => (endedBecause === 'seconds' ? (window ?? []) : [])),
        operations: total.operations(),
        openLoop: total.openLoop(summarizeOpenWindow(run)),
        poolWait: total.poolWait,
        availability: total.availability,
        throughput: total.throughput(run.endMs - run.startMs),
      }
    },
  }
}

/** A window that nothing is asked of. */
export const unjudged = { held: true, endedEarly: false, dropped: 0, limits: [], limitedBy: null, busiest: null }

function toWindow({ pair, on }: NonNullable<PassPlan['of']>, seconds: number, figures: WindowFigures): WindowResult {
  const total = figures.total()
  const opsPerSecond = seconds > 0 ? total.ok / seconds : 0
  return { ...unjudged, ...total, purpose: on ? 'with' : 'without', at: pair, seconds, opsPerSecond }
}

const sumTimes = (passes: readonly PassRun[]): number =>
  passes.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)

/** One pass of them all: as long as they are together. */
function joinPasses(passes: readonly PassRun[]): PassRun {
  const [first, last] = [passes[0], passes.at(-1)]
  if (first === undefined || last === undefined) throw new Error('A window has a pass')
  if (first === last) return first
  const endMs = first.startMs + sumTimes(passes)
  const rowGaps = passes.reduce((sum, pass) => sum + pass.rowGaps, 0)
  const units = last.units.map((_, i) =>
    joinUnits(
      passes.flatMap((pass) => pass.units[i] ?? []),
      endMs,
    ),
  )
  return { ...last, startMs: first.startMs, endMs, rowGaps, units }
}

/** The runs of one unit, of which there is one at least. */
function joinUnits(runs: readonly UnitRun[], sentUntilMs: number): UnitRun {
  const peakInFlight = Math.max(...runs.map(({ openLoop }) => openLoop?.peakInFlight ?? 0))
  const calls = runs.reduce((sum, run) => sum + run.calls, 0)
  const last = runs.at(-1) as UnitRun
  return { ...last, calls, openLoop: last.openLoop && { sentUntilMs, peakInFlight } }
}

function summarizeOpenWindow({ units, startMs, endMs }: PassRun): OpenWindow {
  const loops = units.flatMap(({ openLoop }) => openLoop ?? [])
  const sentUntilMs = loops.length === 0 ? endMs : Math.max(...loops.map((loop) => loop.sentUntilMs))
  return {
    seconds: (sentUntilMs - startMs) / 1000,
    peakInFlight: loops.reduce((sum, loop) => sum + loop.peakInFlight, 0),
  }
}
