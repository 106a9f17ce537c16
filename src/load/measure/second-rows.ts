import { type PerSecond } from '../../results/schema/calls.ts'
import { coarseHistogram, LatencyRecord, type LatencyPart, mergeLatencies, percentileMs } from './latency.ts'

/** Calls that ended in one second of the window. */
export type SecondPart = {
  /** From 0: seconds since the window began. */
  readonly second: number
  readonly failed: number
  readonly unknown: number
  readonly documents: number
  /** Latencies of the successes. */
  readonly ok: LatencyPart | undefined
}

/** Records what ends in the current second. */
export class SecondRecord {
  readonly #ok = new LatencyRecord()
  #failed = 0
  #unknown = 0
  #documents = 0

  add(kind: 'ok' | 'failed' | 'unknown', us: number, documents: number): void {
    this.#documents += documents
    if (kind === 'ok') this.#ok.add(us)
    else if (kind === 'failed') this.#failed += 1
    else this.#unknown += 1
  }

  /** Takes the calls ended since the last time. Undefined: nothing. */
  take(second: number): SecondPart | undefined {
    if (this.#ok.isEmpty && this.#failed === 0 && this.#unknown === 0) return undefined
    const part = {
      second,
      failed: this.#failed,
      unknown: this.#unknown,
      documents: this.#documents,
      ok: this.#ok.take(),
    }
    this.#failed = 0
    this.#unknown = 0
    this.#documents = 0
    return part
  }
}

const sumFigure = (parts: readonly SecondPart[], figure: 'failed' | 'unknown' | 'documents'): number =>
  parts.reduce((sum, part) => sum + part[figure], 0)

/** All that ended in one second. @param parts Of other seconds, too. */
export const mergeSecond = (second: number, parts: readonly SecondPart[]): SecondPart =>
  sumOfSecond(
    second,
    parts.filter((part) => part.second === second),
  )

const sumOfSecond = (second: number, parts: readonly SecondPart[]): SecondPart => ({
  second,
  failed: sumFigure(parts, 'failed'),
  unknown: sumFigure(parts, 'unknown'),
  documents: sumFigure(parts, 'documents'),
  ok: mergeLatencies(parts.map(({ ok }) => ok)),
})

/** The same seconds of several parts become one; by second. */
export function mergeSeconds(all: readonly (readonly SecondPart[])[]): readonly SecondPart[] {
  const [first = [], ...others] = all.filter(({ length }) => length > 0)
  if (others.length === 0) return first
  const bySecond = new Map<number, SecondPart[]>()
  for (const part of [...first, ...others.flat()]) {
    const same = bySecond.get(part.second)
    if (same === undefined) bySecond.set(part.second, [part])
    else same.push(part)
  }
  return [...bySecond]
    .map(([second, parts]) => sumOfSecond(second, parts))
    .toSorted((one, other) => one.second - other.second)
}

type Rows = { readonly [Series in keyof PerSecond]-?: NonNullable<PerSecond[Series]>[number][] }

/** A row for each second of the window: a few numbers once nothing more can end in it, a fine histogram until then. */
export class SecondRows {
  readonly #rows: Rows = {
    ok: [],
    failed: [],
    unknown: [],
    documents: [],
    p50Ms: [],
    p99Ms: [],
    maxMs: [],
    histograms: [],
  }
  #open: readonly SecondPart[] = []

  add(parts: readonly SecondPart[]): void {
    this.#open = mergeSeconds([this.#open, parts])
  }

  /** Nothing more comes of the seconds before this one. */
  closeBefore(second: number): void {
    const isClosed = (part: SecondPart): boolean => part.second < second
    for (const part of this.#open.filter(isClosed)) this.#set(part)
    this.#open = this.#open.filter((part) => !isClosed(part))
  }

  /** @param seconds How many there are at least; those in which nothing ended have rows too. */
  result(seconds: number): Required<PerSecond> {
    this.closeBefore(Infinity)
    while (this.#rows.ok.length < seconds) this.#pushEmpty()
    return this.#rows
  }

  #set({ second, failed, unknown, documents, ok }: SecondPart): void {
    while (this.#rows.ok.length <= second) this.#pushEmpty()
    this.#rows.ok[second] = ok?.count ?? 0
    this.#rows.failed[second] = failed
    this.#rows.unknown[second] = unknown
    this.#rows.documents[second] = documents
    this.#rows.p50Ms[second] = ok === undefined ? null : percentileMs(ok, 50)
    this.#rows.p99Ms[second] = ok === undefined ? null : percentileMs(ok, 99)
    this.#rows.maxMs[second] = ok === undefined ? null : ok.maxUs / 1000
    this.#rows.histograms[second] = ok === undefined ? [] : coarseHistogram(ok)
  }

  #pushEmpty(): void {
    for (const series of [this.#rows.ok, this.#rows.failed, this.#rows.unknown, this.#rows.documents]) series.push(0)
    for (const series of [this.#rows.p50Ms, this.#rows.p99Ms, this.#rows.maxMs]) series.push(null)
    this.#rows.histograms.push([])
  }
}
