import { countUpTo } from '../../metrics/statistics.ts'
import { type MetricName } from '../../results/server-metrics.ts'
import { type Sample } from './sample.ts'

/** Values are not interpolated over longer gaps between samples. By default the server takes one a second. */
export const maxGapMs = 2500

/** Uptimes of one process may go back by the few milliseconds that the server needs to build a reply. */
const uptimeToleranceMs = 500

/** A value at one time, and the number of restarts before it: values across a restart have no difference. */
export type Point = { readonly value: number; readonly life: number }

/** The values of one member over time. */
export type History = {
  /** A counter at a time: as sampled, or interpolated linearly. Null where that is impossible. */
  readonly counterAt: (metric: MetricName, atMs: number) => Point | null
  /** The last sample of a gauge up to a time. Null where it is too old. */
  readonly gaugeAt: (metric: MetricName, atMs: number) => number | null
  /** Whether the server was restarted between two times. */
  readonly restarted: (fromMs: number, toMs: number) => boolean
}

type Lived = { readonly sample: Sample; readonly life: number }

/** Creates the history of one member from samples in any order. */
export function createHistory(samples: readonly Sample[]): History {
  const lived = countLives(samples.toSorted((a, b) => a.atMs - b.atMs))
  const byMetric = new Map<MetricName, readonly Lived[]>()

  function samplesOf(metric: MetricName): readonly Lived[] {
    const known = byMetric.get(metric) ?? lived.filter(({ sample }) => sample.values[metric] !== undefined)
    byMetric.set(metric, known)
    return known
  }

  function neighbours(metric: MetricName, atMs: number): { before: Lived | undefined; after: Lived | undefined } {
    const known = samplesOf(metric)
    // By binary search: a long run has thousands of samples and asks thousands of times.
    const next = countUpTo(known, atMs, ({ sample }) => sample.atMs)
    return { before: known[next - 1], after: known[next] }
  }

  return {
    counterAt(metric, atMs) {
      const { before, after } = neighbours(metric, atMs)
      if (before?.sample.atMs === atMs) return toPoint(before, metric)
      if (!before || !after || before.life !== after.life) return null
      const gapMs = after.sample.atMs - before.sample.atMs
      if (gapMs > maxGapMs) return null
      const from = toPoint(before, metric).value
      const to = toPoint(after, metric).value
      // Rounded, so that increments are whole numbers that add up to the total.
      return { value: Math.round(from + ((to - from) * (atMs - before.sample.atMs)) / gapMs), life: before.life }
    },
    gaugeAt(metric, atMs) {
      const { before } = neighbours(metric, atMs)
      if (!before || atMs - before.sample.atMs > maxGapMs) return null
      return toPoint(before, metric).value
    },
    restarted(fromMs, toMs) {
      const within = lived.filter(({ sample }) => sample.atMs >= fromMs && sample.atMs <= toMs)
      return new Set(within.map(({ life }) => life)).size > 1
    },
  }
}

function countLives(samples: readonly Sample[]): Lived[] {
  let life = 0
  return samples.map((sample, index) => {
    const previous = samples[index - 1]
    if (previous && restartedBetween(previous, sample)) life += 1
    return { sample, life }
  })
}

/** Whether the server was restarted. The process id alone is not enough: in a container it is always 1. */
function restartedBetween(before: Sample, after: Sample): boolean {
  if (before.pid !== after.pid) return true
  if (before.uptimeMs === null || after.uptimeMs === null) return false
  return after.uptimeMs < before.uptimeMs - uptimeToleranceMs
}

function toPoint({ sample, life }: Lived, metric: MetricName): Point {
  return { value: sample.values[metric] ?? 0, life }
}
