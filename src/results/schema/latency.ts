import { z } from 'zod'
import { histogramFormat, isStoredHistogram } from '../stored-histogram.ts'
import { figure } from './figure.ts'

/** One value per second, null where there is none. */
export const nullableSeries = z.array(figure.nullable())

/**
 * A coarse histogram of each second: the number of its first bin (`latency-bins.ts`), and the counts from that bin on. Empty: no
 * sample in that second.
 */
export const secondHistograms = z.array(z.array(z.int()))

/** Latency of one operation and one outcome. Milliseconds, from integer microseconds; the histogram is HDR V2 base64 in microseconds. */
export const latency = z.object({
  count: z.int(),
  meanMs: figure,
  minMs: figure,
  maxMs: figure,
  p50Ms: figure,
  p95Ms: figure,
  p99Ms: figure,
  p999Ms: figure,
  /** Samples outside of 1 µs to 10 min, recorded as the nearest bound of that range. */
  clamped: z.int(),
  /** With three significant digits, in a compact result two. Null: not kept, as for unsuccessful calls of a compact result. */
  histogram: z.stringFormat(histogramFormat, isStoredHistogram).nullable(),
})

export const latencySummary = latency.omit({ clamped: true, histogram: true })

export type Latency = z.output<typeof latency>
export type LatencySummary = z.output<typeof latencySummary>
