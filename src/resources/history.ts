import { type MetricName } from './metrics.ts'
import { type Sample } from './sample.ts'

/** Samples further apart than this say nothing about the time between them. The server takes one a second, unless it is told otherwise. */
export const maxGapMs = 2500

/** Uptimes of one process may seem to go back by the few milliseconds that a reply takes to be put together. */
const uptimeToleranceMs = 500

/** A figure at one moment, and which life of the server it belongs to: figures of two lives have no difference. */
export type Point = { readonly value: number; readonly life: number }

export type History = {
  /** A counter at a moment: as read where it was read, else on the straight line between its neighbours. */
  readonly counterAt: (metric: MetricName, atMs: number) => Point | null
  /** The last reading of a gauge up to a moment. */
  readonly gaugeAt: (metric: MetricName, atMs: number) => number | null
  /** True when the server was started anew between two moments. */
  readonly restarted: (fromMs: number, toMs: number) => boolean
}

type Lived = { readonly sample: Sample; readonly life: number }

/** Puts the samples of one member, in any order, in the order of the server's own clock. */
export function createHistory(samples: readonly Sample[]): History {
  const lived = countLives(samples.toSorted((a, b) => a.atMs - b.atMs))
  const tellers = new Map<MetricName, readonly Lived[]>()

  function tellersOf(metric: MetricName): readonly Lived[] {
    const known = tellers.get(metric) ?? lived.filter(({ sample }) => sample.values[metric] !== undefined)
    tellers.set(metric, known)
    return known
  }

  function neighbours(metric: MetricName, atMs: number): { before: Lived | undefined; after: Lived | undefined } {
    const known = tellersOf(metric)
    const next = countUpTo(known, atMs)
    return { before: known[next - 1], after: known[next] }
  }

  return {
    counterAt(metric, atMs) {
      const { before, after } = neighbours(metric, atMs)
      if (before?.sample.atMs === atMs) return pointOf(before, metric)
      if (!before || !after || before.life !== after.life) return null
      const gapMs = after.sample.atMs - before.sample.atMs
      if (gapMs > maxGapMs) return null
      const from = pointOf(before, metric).value
      const to = pointOf(after, metric).value
      // Whole numbers at every moment make whole rises, which add up to the total.
      return { value: Math.round(from + ((to - from) * (atMs - before.sample.atMs)) / gapMs), life: before.life }
    },
    gaugeAt(metric, atMs) {
      const { before } = neighbours(metric, atMs)
      if (!before || atMs - before.sample.atMs > maxGapMs) return null
      return pointOf(before, metric).value
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
    if (previous && startedAnew(previous, sample)) life += 1
    return { sample, life }
  })
}

/** How many of the samples, which are in order, were taken up to a moment. A long run asks for thousands of them thousands of times. */
function countUpTo(samples: readonly Lived[], atMs: number): number {
  let low = 0
  let high = samples.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((samples[middle]?.sample.atMs ?? Infinity) <= atMs) low = middle + 1
    else high = middle
  }
  return low
}

/** The process id alone would miss a restart in a container, where it is always 1. */
function startedAnew(before: Sample, after: Sample): boolean {
  if (before.pid !== after.pid) return true
  if (before.uptimeMs === null || after.uptimeMs === null) return false
  return after.uptimeMs < before.uptimeMs - uptimeToleranceMs
}

function pointOf({ sample, life }: Lived, metric: MetricName): Point {
  return { value: sample.values[metric] ?? 0, life }
}
