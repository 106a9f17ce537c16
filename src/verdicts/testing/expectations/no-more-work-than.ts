import { type WorkChange, compareWork, formatCount, workMetricNames, workMetrics } from '../../../metrics/work.ts'
import type { Measurement } from '../measurement.ts'
import { type ComparedWith, type RoundQuantity, compareRounds } from './compare-rounds.ts'
import { type Expectation, type Judgement, judgeAll, judgeCommands, judgeTime } from './judgement.ts'

/** Counts that may be higher. */
export type NoMoreWorkOptions = {
  /** How much of each count of work, in percent. Default 0: not one document or command. */
  readonly percent?: number
  /** How much of the CPU time of a call, in percent. Default: it is not compared, because it is no exact count. */
  readonly cpuPercent?: number
}

/**
 * A call does no more work than one of another measurement: documents and keys examined, documents and bytes returned, commands and round trips are
 * counted in the calls before the timed ones, so this is decided on any machine, busy or not, also where nothing is timed. More keys that spare
 * at least as many documents are no more work. CPU time of this process is judged over rounds.
 */
export const noMoreWorkThan: Expectation<readonly [other: ComparedWith, options?: NoMoreWorkOptions]> = (
  measurement,
  other,
  { percent = 0, cpuPercent } = {},
) =>
  judgeAll([
    judgeCommands(measurement, () => judgeCounts(measurement, other, percent)),
    ...(cpuPercent === undefined ? [] : [judgeCpu(measurement, other, cpuPercent)]),
  ])

function judgeCounts({ work }: Measurement, other: ComparedWith, percent: number): Judgement {
  if (other.savedWork !== undefined) return { verdict: 'holds', ...other.savedWork }
  const apart = `cannot be compared with ${other.name}`
  if (work === null || other.work === null)
    return { verdict: 'cannot tell', because: `${apart}, whose commands were not seen.` }
  const known = other.work
  const changes = compareWork(known, work, percent / 100)
  const more = changes.filter(({ change }) => change === 'more')
  const expected = percent === 0 ? '' : `; expected is at most ${percent} % more`
  if (more.length > 0)
    return {
      verdict: 'missed',
      because: `does more work in a call than ${other.name}: ${listChanges(more)}${expected}.`,
    }
  const unseen = workMetricNames.filter((metric) => work[metric] === null && known[metric] !== null)
  if (unseen.length > 0)
    return {
      verdict: 'cannot tell',
      because: `${apart}: the number of ${unseen.map((metric) => workMetrics[metric]).join(', ')} is not known now.`,
    }
  const isLess = changes.some(({ change }) => change === 'less')
  return {
    verdict: 'holds',
    because: `does no more work in a call than ${other.name}: ${listChanges(changes)}${expected}.`,
    ...(isLess && other.ifBetter !== undefined && { advice: other.ifBetter }),
  }
}

const listChanges = (changes: readonly WorkChange[]): string =>
  changes
    .map(({ metric, now, before }) => formatCount(metric, now) + (now === before ? '' : ` (${before} there)`))
    .join(', ')

const judgeCpu = (measurement: Measurement, other: ComparedWith, percent: number): Judgement =>
  judgeTime(measurement, (measured) =>
    other.saved === undefined ? compareRounds(measured, other, cpu, percent) : { verdict: 'holds', ...other.saved },
  )

const cpu: RoundQuantity = {
  better: 'lower',
  valueOf: ({ cpuUs = null }) => cpuUs,
  text: (now, before, name) => `took ${now} µs of CPU time for a call, and ${name} ${before} µs`,
  missing: 'there are rounds whose CPU time is not known',
}
