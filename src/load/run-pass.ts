import { type Clock } from '../core/clock.ts'
import { type EvidencePart } from './evidence.ts'
import { type LoadUnit, type UnitRun } from './load-unit.ts'
import { type EndedBecause } from './loops/limits.ts'
import { type PhasePart } from './measure/phase-part.ts'
import { type PartSink } from './part-sink.ts'
import { sumOfDigests } from './plan/digest.ts'
import { type LoadedPhase, type Pass, type StopAfter } from './plan/plan.ts'
import { type NumberedRows } from './plan/row-numbers.ts'
import { computeSharePart, createShares } from './plan/share.ts'

/** How a pass went, over all units. Times are the clock's, in milliseconds. */
export type PassRun = Pick<UnitRun, 'endMs' | 'endedBecause' | 'digest'> & {
  readonly startMs: number
  readonly units: readonly UnitRun[]
  /** Row numbers that no unit has used, because they ended at different operations. */
  readonly rowGaps: number
  /** Whether `latest` picked among the rows of each unit alone. */
  readonly latestByThread: boolean
}

/** The units of a load, and who learns what they measure. */
export type LoadedUnits = {
  readonly phase: LoadedPhase
  /** Together they run all shares of the phase. */
  readonly units: readonly LoadUnit[]
  /** Their row numbers go on where the units have stopped. */
  readonly dataSets: readonly NumberedRows[]
  readonly clock: Clock
  /** Default: none. */
  readonly sinks?: readonly PartSink[]
  /** Takes the evidence of each part, in every pass. */
  readonly onEvidence?: (evidence: readonly EvidencePart[]) => void
}

type PassRequest = {
  readonly pass: Pass
  readonly stopAfter: StopAfter
  /** Not before that. Default: as soon as the units can. */
  readonly startMs?: number | undefined
  /** Seconds go on from so much that has been measured before. */
  readonly measuredMs?: number
  /** Whether its calls go on where those of the pass before have ended. */
  readonly goesOn?: boolean
}

/** The earliest time at which all units can begin. */
export const soonest = ({ units, clock }: Pick<LoadedUnits, 'units' | 'clock'>): number =>
  clock.now() + Math.max(...units.map(({ leadMs }) => leadMs))

export async function connect({ phase, units }: Pick<LoadedUnits, 'phase' | 'units'>): Promise<void> {
  const parts = splitWorkers(units, phase.workers)
  await Promise.all(units.map((unit, i) => unit.connect(parts[i] ?? 0)))
}

function splitWorkers(units: readonly LoadUnit[], workers: number): readonly number[] {
  const shares = createShares(units.reduce((sum, unit) => sum + unit.shares, 0))
  let next = 0
  return units.map((unit) =>
    shares.slice(next, (next += unit.shares)).reduce((sum, share) => sum + computeSharePart(workers, share), 0),
  )
}

export type PassListener = {
  readonly start: (startMs: number) => void
  readonly take: (part: PhasePart, completeBefore: number) => void
}

const notMeasured: PassListener = { start: () => {}, take: () => {} }

/** Makes the calls of a pass on all units. */
export async function runPass(
  { pass, stopAfter, startMs: notBeforeMs = 0, measuredMs = 0, goesOn = false }: PassRequest,
  { phase, units, dataSets, clock, sinks = [], onEvidence }: LoadedUnits,
  listener = notMeasured,
): Promise<PassRun> {
  const startMs = Math.max(soonest({ units, clock }), notBeforeMs)
  const windowStartMs = startMs - measuredMs
  const firstRows = dataSets.map(({ numbers }) => numbers.next())
  const completeBefore = units.map(() => 0)
  const inFlight = units.map(() => 0)
  let unitsLeft = units.length
  const ofPass = {
    phase: phase.name,
    operations: phase.operations.map((operation) => operation.name),
    pass,
    load: phase.load.kind,
    workers: phase.workers,
    stopAfter,
    startMs,
    windowStartMs,
  }
  listener.start(startMs)
  const parts = splitWorkers(units, phase.workers)
  const ran = await Promise.all(
    units.map((unit, i) => {
      const asked = { pass, stopAfter, workers: parts[i] ?? 0, startMs, windowStartMs, firstRows, goesOn }
      return unit.run(asked, ({ recorded, evidence, ...ofUnit }) => {
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
