import { z } from 'zod'
import { histogramFormat, isStoredHistogram } from '../stored-histogram.ts'
import { count, figure, list, orNull, part } from './fields.ts'

export const nullableSeries = list(orNull(figure)).describe('One value per second, null where there is none.')

export const secondHistograms = list(list(count)).describe(
  'A coarse histogram of each second: the number of its first bin (`latency-bins.ts`), and the counts from that bin on. Empty: no sample in that second.',
)

export const latency = part(
  'Latency of one operation and one outcome. Milliseconds, from integer microseconds; the histogram is HDR V2 base64 in microseconds.',
  {
    count,
    meanMs: figure,
    minMs: figure,
    maxMs: figure,
    p50Ms: figure,
    p95Ms: figure,
    p99Ms: figure,
    p999Ms: figure,
    clamped: count.describe('Samples outside of 1 µs to 10 min, recorded as the nearest bound of that range.'),
    histogram: orNull(z.stringFormat(histogramFormat, isStoredHistogram)).describe(
      'With three significant digits, in a compact result two. Null: not kept, as for unsuccessful operations of a compact result.',
    ),
  },
)

export const latencySummary = latency.omit({ clamped: true, histogram: true })

export type { Latency, LatencySummary } from '../result-types.ts'
