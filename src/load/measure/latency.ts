import { type Histogram } from 'hdr-histogram-js'
import { hdrHistogram } from '../../core/hdr-histogram.ts'
import { latencyBin } from '../../results/latency-bins.ts'
import { type Latency } from '../../results/schema/latency.ts'

/** Range of a histogram in microseconds: 1 µs to 10 min. */
const minUs = 1
const maxUs = 600_000_000

/**
 * Latencies of one operation and one outcome as units hand them over: exact sums in integer microseconds, and the buckets of
 * an HDR histogram (three significant digits) that are not empty.
 */
export type LatencyPart = {
  readonly count: number
  readonly sumUs: number
  readonly minUs: number
  readonly maxUs: number
  /** Samples outside of the range, counted at its nearest end. */
  readonly clamped: number
  /** Pairs of a bucket's index and its count, by index. */
  readonly buckets: Uint32Array
}

/** Buckets of 2048 values each, in which every doubling has half of them: the layout of HdrHistogram. */
const halfCount = 1024

const toBucket = (us: number): number => {
  if (us < halfCount * 2) return us
  const shift = 21 - Math.clz32(us)
  return shift * halfCount + (us >>> shift)
}

const getBucketShift = (bucket: number): number => Math.max(0, Math.floor(bucket / halfCount) - 1)
const getBucketMin = (bucket: number): number =>
  (bucket - getBucketShift(bucket) * halfCount) * 2 ** getBucketShift(bucket)
const getBucketMax = (bucket: number): number => getBucketMin(bucket) + 2 ** getBucketShift(bucket) - 1

const bucketCount = toBucket(maxUs) + 1

/** Whether these are buckets as `take` hands them over: pairs, by index. */
export const areBuckets = (buckets: Uint32Array): boolean =>
  buckets.length % 2 === 0 &&
  buckets.every((bucket, at) => at % 2 === 1 || (bucket < bucketCount && (at === 0 || bucket > (buckets[at - 2] ?? 0))))

/** Records latencies until they are taken. 82 KiB from the first sample on, and nothing per sample. */
export class LatencyRecord {
  #counts: Uint32Array | undefined
  #count = 0
  #sumUs = 0
  #minUs = Infinity
  #maxUs = 0
  #clamped = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /**
   * Never throws: a sample outside of the range is clamped and counted.
   * @param us A whole number of microseconds.
   */
  add(us: number): void {
    const counts = (this.#counts ??= new Uint32Array(bucketCount))
    let inRangeUs = us
    if (us < minUs || us > maxUs) {
      inRangeUs = us < minUs ? minUs : maxUs
      this.#clamped += 1
    }
    const bucket = toBucket(inRangeUs)
    counts[bucket] = (counts[bucket] as number) + 1
    this.#count += 1
    this.#sumUs += us
    if (us < this.#minUs) this.#minUs = us
    if (us > this.#maxUs) this.#maxUs = us
  }

  /** Takes the latencies recorded since the last time. Undefined: nothing. */
  take(): LatencyPart | undefined {
    if (this.#count === 0 || this.#counts === undefined) return undefined
    const part = {
      count: this.#count,
      sumUs: this.#sumUs,
      minUs: this.#minUs,
      maxUs: this.#maxUs,
      clamped: this.#clamped,
      buckets: this.#takeBuckets(this.#counts),
    }
    this.#count = 0
    this.#sumUs = 0
    this.#minUs = Infinity
    this.#maxUs = 0
    this.#clamped = 0
    return part
  }

  #takeBuckets(counts: Uint32Array): Uint32Array {
    const first = toBucket(Math.min(Math.max(this.#minUs, minUs), maxUs))
    const last = toBucket(Math.min(Math.max(this.#maxUs, minUs), maxUs))
    const pairs: number[] = []
    for (let bucket = first; bucket <= last; bucket++) {
      const count = counts[bucket] as number
      if (count > 0) pairs.push(bucket, count)
    }
    counts.fill(0, first, last + 1)
    return Uint32Array.from(pairs)
  }
}

/** Merges latency parts; undefined when none of them has a call. */
export function mergeLatencies(parts: readonly (LatencyPart | undefined)[]): LatencyPart | undefined {
  const [first, ...others] = parts.filter((part) => part !== undefined)
  if (first === undefined || others.length === 0) return first
  let { count, sumUs, minUs: least, maxUs: greatest, clamped } = first
  for (const part of others) {
    count += part.count
    sumUs += part.sumUs
    if (part.minUs < least) least = part.minUs
    if (part.maxUs > greatest) greatest = part.maxUs
    clamped += part.clamped
  }
  const buckets = mergeBuckets([first, ...others].map((part) => part.buckets))
  return { count, sumUs, minUs: least, maxUs: greatest, clamped, buckets }
}

/** Every bucket there may be, all zero between two merges. */
let countsOfMerge: Uint32Array | undefined

/** A pass over each of them, and one over the range of all, however many they are. */
function mergeBuckets(all: readonly Uint32Array[]): Uint32Array {
  const counts = (countsOfMerge ??= new Uint32Array(bucketCount))
  let [length, first, last] = [0, bucketCount, 0]
  for (const buckets of all) {
    for (let i = 0; i < buckets.length; i += 2) {
      const bucket = buckets[i] as number
      if (counts[bucket] === 0) length += 2
      counts[bucket] = (counts[bucket] as number) + (buckets[i + 1] as number)
    }
    first = Math.min(first, buckets[0] ?? first)
    last = Math.max(last, buckets.at(-2) ?? last)
  }
  const merged = new Uint32Array(length)
  for (let bucket = first, end = 0; bucket <= last; bucket++) {
    const count = counts[bucket] as number
    if (count === 0) continue
    merged[end++] = bucket
    merged[end++] = count
  }
  counts.fill(0, first, last + 1)
  return merged
}

/**
 * The upper end of the bucket in which a percentile lies, in milliseconds, as HdrHistogram gives it; no more than the largest
 * sample, and no less than the smallest.
 * @param percent 0 to 100.
 */
export function percentileMs({ buckets, count, minUs: least, maxUs: greatest }: LatencyPart, percent: number): number {
  const wanted = (percent / 100) * count
  // Rounded up, unless only the arithmetic of fractions lies above a whole number.
  const rank = Math.max(1, Math.ceil(wanted - wanted * Number.EPSILON))
  let seen = 0
  for (let i = 0; i < buckets.length; i += 2) {
    seen += buckets[i + 1] ?? 0
    if (seen >= rank) return Math.max(least, Math.min(greatest, getBucketMax(buckets[i] ?? 0))) / 1000
  }
  return greatest / 1000
}

/** Edges of a distribution: 1, 2 and 5 of each decade. */
const edgeDigits = [1, 2, 5] as const

/** Numbers of samples between edges of 1, 2 and 5 of each decade, from the first edge with a sample to the last; in milliseconds. */
export function computeDistribution(part: LatencyPart): readonly { readonly upToMs: number; readonly calls: number }[] {
  const [first, ...counts] = countsIn(findEdgeIndex, part)
  return counts.map((calls, i) => ({ upToMs: edgeUs(first + i) / 1000, calls }))
}

/** Returns the latencies of one second as a result keeps them: a bin, and the numbers of samples in it and in the bins after it. */
export const coarseHistogram = (part: LatencyPart): number[] => countsIn(latencyBin, part)

function countsIn(binOf: (us: number) => number, { buckets }: LatencyPart): [first: number, ...counts: number[]] {
  const first = binOf(getBucketMax(buckets[0] ?? 0))
  const counts: number[] = []
  for (let i = 0; i < buckets.length; i += 2) {
    const bin = binOf(getBucketMax(buckets[i] ?? 0)) - first
    while (counts.length <= bin) counts.push(0)
    counts[bin] = (counts[bin] ?? 0) + (buckets[i + 1] ?? 0)
  }
  return [first, ...counts]
}

const edgeUs = (index: number): number => (edgeDigits[index % 3] ?? 1) * 10 ** Math.floor(index / 3)

function findEdgeIndex(us: number): number {
  let index = 0
  while (edgeUs(index) < us) index += 1
  return index
}

/** Converts latencies to the form that a result keeps. */
export function toLatency(part: LatencyPart): Latency {
  return {
    count: part.count,
    meanMs: part.sumUs / part.count / 1000,
    minMs: part.minUs / 1000,
    maxMs: part.maxUs / 1000,
    p50Ms: percentileMs(part, 50),
    p95Ms: percentileMs(part, 95),
    p99Ms: percentileMs(part, 99),
    p999Ms: percentileMs(part, 99.9),
    clamped: part.clamped,
    histogram: encoded(part),
  }
}

const toNullable = (part: LatencyPart | undefined): Latency | null => (part === undefined ? null : toLatency(part))

/** The same for several latencies; null where nothing was recorded. */
export const toLatencies = <Names extends string>(
  parts: Readonly<Partial<Record<Names, LatencyPart | undefined>>>,
  names: readonly Names[],
): Record<Names, Latency | null> =>
  Object.fromEntries(names.map((name) => [name, toNullable(parts[name])])) as Record<Names, Latency | null>

function encoded({ buckets }: LatencyPart): string {
  const histogram = emptyHistogram(3)
  for (let i = 0; i < buckets.length; i += 2)
    histogram.recordValueWithCount(getBucketMin(buckets[i] ?? 0), buckets[i + 1] ?? 0)
  return hdrHistogram().encodeIntoCompressedBase64(histogram)
}

/** A histogram with two significant digits, of a third of the size or less. */
export function compactHistogram(histogram: string): string {
  const { decodeFromCompressedBase64, encodeIntoCompressedBase64 } = hdrHistogram()
  const compact = emptyHistogram(2)
  compact.add(decodeFromCompressedBase64(histogram))
  return encodeIntoCompressedBase64(compact)
}

const emptyHistogram = (digits: 2 | 3): Histogram =>
  hdrHistogram().build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: minUs,
    highestTrackableValue: maxUs,
    numberOfSignificantValueDigits: digits,
    useWebAssembly: false,
  })
