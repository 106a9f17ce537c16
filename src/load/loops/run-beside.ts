import { sum } from '../../metrics/statistics.ts'
import { type Stretch } from '../../results/schema/peak.ts'
import { type Alternation } from '../beside.ts'
import { type PassRequest, type PassRun } from '../run-load.ts'
import { StepMetrics } from './find-peak.ts'

/** Share of a stretch that comes before it and is not measured: caches are those of the stretch before. */
const leadInShare = 0.1

type Window = Pick<PassRequest, 'stopAfter'> & Partial<PassRequest>

type BesideOptions = Pick<Alternation, 'seconds' | 'isOn'> & {
  /** Whether this load is the one that is on and off. */
  readonly alternates: boolean
  /** Waits until the calls of all loads have been answered, and returns when the next stretch can begin. */
  readonly meet: () => Promise<number>
  readonly leadIn: (window: Window) => Promise<PassRun>
  readonly measure: (window: Window) => Promise<PassRun>
}

/**
 * The measured pass of a load in stretches, in half of which another load is on; or of that load, which runs in half of them, from the beginning of
 * their lead-in on. Seconds go on from stretch to stretch, without the time between them. A load that has failed or was ended keeps meeting the others.
 */
export async function runBeside({
  alternates,
  seconds,
  isOn,
  meet,
  leadIn,
  measure,
}: BesideOptions): Promise<PassRun & { readonly stretches: readonly Stretch[] }> {
  const runs: PassRun[] = []
  const stretches: Stretch[] = []
  const leadSeconds = seconds * leadInShare
  let measuredMs = 0
  for (const [i, on] of isOn.entries()) {
    const startMs = await meet()
    if (runs.some(({ endedBecause }) => endedBecause !== 'seconds') || (alternates && !on)) continue
    const goesOn = runs.length === 0 ? {} : { goesOn: true }
    if (alternates) {
      runs.push(await measure({ ...goesOn, startMs, measuredMs, stopAfter: { seconds: leadSeconds + seconds } }))
    } else {
      const metrics = new StepMetrics()
      const onPart = metrics.add.bind(metrics)
      const lead = await leadIn({ ...goesOn, startMs, stopAfter: { seconds: leadSeconds } })
      const run = await measure({ goesOn: true, measuredMs, onPart, stopAfter: { seconds } })
      const { workers: _, ...figures } = metrics.step(0, (run.endMs - run.startMs) / 1000)
      if (run.endedBecause === 'seconds') stretches.push({ pair: Math.floor(i / 2), on, ...figures })
      runs.push({ ...run, rowGaps: run.rowGaps + lead.rowGaps })
    }
    measuredMs = sum(runs.map((run) => run.endMs - run.startMs))
  }
  // Ended before its first stretch.
  const last = runs.at(-1) ?? (await measure({ stopAfter: { seconds: 0 } }))
  return { ...joinRuns(runs, last, measuredMs), stretches }
}

/** One pass of all stretches: as long as they are together. */
function joinRuns(runs: readonly PassRun[], last: PassRun, measuredMs: number): PassRun {
  const { startMs } = runs[0] ?? last
  const endMs = startMs + measuredMs
  return {
    ...last,
    startMs,
    endMs,
    rowGaps: sum(runs.map(({ rowGaps }) => rowGaps)),
    units: last.units.map((unit, i) => ({
      ...unit,
      calls: sum(runs.map(({ units }) => units[i]?.calls ?? 0)),
      openLoop: unit.openLoop && {
        sentUntilMs: endMs,
        peakInFlight: Math.max(...runs.map(({ units }) => units[i]?.openLoop?.peakInFlight ?? 0)),
      },
    })),
  }
}
