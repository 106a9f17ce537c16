import { Problem } from '../../../core/errors.ts'
import { readableNumber } from '../../../metrics/format.ts'
import { median } from '../../../metrics/statistics.ts'
import { type WorkMetric, formatCount, workMetricNames, workMetrics } from '../../../metrics/work.ts'
import type { Measurement } from '../measurement.ts'
import {
  type Expectation,
  type Judgement,
  inRounds,
  isNoChance,
  judgeAll,
  judgeCommands,
  judgeTime,
} from './judgement.ts'

/** The most that a call may need, for each count of its work and its CPU time in microseconds. What is left out is not limited. */
export type WorkLimits = { readonly [Metric in WorkMetric | 'cpuUs']?: number }

/**
 * No call needs more than this: counts are those of the calls before the timed ones, so they are judged exactly on any machine. CPU time of this
 * process is judged over rounds.
 * @throws {Problem} "usage" for a limit that is not known, or no number.
 */
export const needAtMost: Expectation<readonly [limits: WorkLimits]> = (measurement, limits) => {
  const counts = readLimits(limits)
  const { cpuUs } = limits
  return judgeAll([
    ...(counts.length === 0 ? [] : [judgeCommands(measurement, () => judgeCounts(measurement, counts))]),
    ...(cpuUs === undefined ? [] : [judgeCpu(measurement, cpuUs)]),
  ])
}

type CountLimit = readonly [metric: WorkMetric, limit: number]

function readLimits(limits: WorkLimits): readonly CountLimit[] {
  const names: readonly string[] = [...workMetricNames, 'cpuUs']
  const wrong = Object.entries(limits).find(([name, limit]) => !names.includes(name) || !(Number(limit) >= 0))
  if (wrong === undefined && Object.keys(limits).length > 0)
    return workMetricNames.flatMap((metric) => {
      const limit = limits[metric]
      return limit === undefined ? [] : [[metric, limit] as const]
    })
  const found = wrong === undefined ? 'nothing' : `"${wrong[0]}": ${JSON.stringify(wrong[1])}`
  throw new Problem('usage', `toNeedAtMost limits ${found}. It takes numbers for ${names.join(', ')}.`, {
    hint: 'Such as toNeedAtMost({ docsExamined: 20, roundTrips: 1 }).',
  })
}

function judgeCounts({ work }: Measurement, limits: readonly CountLimit[]): Judgement {
  const texts = limits.map(([metric, limit]) => {
    const found = work?.[metric] ?? null
    const isMet = found !== null && found <= limit
    return {
      isMet,
      text: `${found === null ? `an unknown number of ${workMetrics[metric]}` : formatCount(metric, found)} (at most ${limit})`,
    }
  })
  const missed = texts.filter(({ isMet }) => !isMet)
  const list = (all: typeof texts): string => all.map(({ text }) => text).join(', ')
  return missed.length === 0
    ? { verdict: 'holds', because: `needs no more in a call than expected: ${list(texts)}.` }
    : { verdict: 'missed', because: `needs more in a call than expected: ${list(missed)}.` }
}

const judgeCpu = (measurement: Measurement, limitUs: number): Judgement =>
  judgeTime(measurement, ({ rounds }) => {
    const values = rounds.map(({ cpuUs }) => cpuUs ?? Infinity)
    const above = values.filter((value) => value > limitUs).length
    const middle = median(values) ?? Infinity
    const because = `took ${readableNumber(middle)} µs of CPU time for a call, more than ${limitUs} µs ${inRounds(above, rounds.length)}; expected at most ${limitUs} µs.`
    if (middle <= limitUs) return { verdict: 'holds', because }
    return { verdict: isNoChance(above, rounds.length) ? 'missed' : 'cannot tell', because }
  })
