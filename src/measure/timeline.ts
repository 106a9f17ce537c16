import { type Histogram } from 'hdr-histogram-js'
import { type PerSecond } from '../results/schema/calls.ts'
import { clampUs, createHistogram } from './histogram.ts'

type OutcomeKind = 'ok' | 'failed' | 'unknown'
type Rows = { readonly [Series in keyof PerSecond]: PerSecond[Series][number][] }

/** One operation's row per second. Keeps one histogram, that of the current second, and a few numbers per past second. */
export class Timeline {
  readonly #rows: Rows = { ok: [], failed: [], unknown: [], documents: [], p50Ms: [], p99Ms: [], maxMs: [] }
  readonly #counts = { ok: 0, failed: 0, unknown: 0 }
  #documents = 0
  #maxUs = 0
  /** Built with the first ok call; most operations of most phases have one, but not all. */
  #okUs: Histogram | undefined

  add(kind: OutcomeKind, us: number, documents: number): void {
    this.#counts[kind] += 1
    this.#documents += documents
    if (kind !== 'ok') return
    this.#okUs ??= createHistogram()
    this.#okUs.recordValue(clampUs(us))
    if (us > this.#maxUs) this.#maxUs = us
  }

  /** Ends the current second and begins the next. */
  endSecond(): void {
    const { ok, failed, unknown } = this.#counts
    this.#rows.ok.push(ok)
    this.#rows.failed.push(failed)
    this.#rows.unknown.push(unknown)
    this.#rows.documents.push(this.#documents)
    this.#rows.p50Ms.push(this.#percentileMs(50))
    this.#rows.p99Ms.push(this.#percentileMs(99))
    this.#rows.maxMs.push(ok > 0 ? this.#maxUs / 1000 : null)

    if (ok > 0) this.#okUs?.reset()
    this.#counts.ok = 0
    this.#counts.failed = 0
    this.#counts.unknown = 0
    this.#documents = 0
    this.#maxUs = 0
  }

  rows(): PerSecond {
    return this.#rows
  }

  #percentileMs(percentile: number): number | null {
    if (!this.#okUs || this.#counts.ok === 0) return null
    return Math.min(this.#maxUs, this.#okUs.getValueAtPercentile(percentile)) / 1000
  }
}
