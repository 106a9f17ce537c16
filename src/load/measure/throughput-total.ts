import { type PhasePart } from './phase-part.ts'
import { shortestBinMs, wholeCall } from './throughput-record.ts'

/** Throughput over the window, in bins of equal length. */
export type ThroughputSeries = {
  readonly binMs: number
  /** Successful calls in each bin, those that took longer in parts. */
  readonly calls: readonly number[]
  /** Documents that a call asked for, at least 1. */
  readonly documentsPerCall: number
  /** Mean latency of successful calls. */
  readonly meanLatencyMs: number
}

/** Enough for ten minutes in the finest bins. A longer window has longer bins, so that memory does not grow with it. */
const maxBins = 6000

/** The throughput of all parts of a phase together. */
export class ThroughputTotal {
  /** Counts of the bins, in the unit of the parts. */
  #bins: number[] = []
  /** How many of the finest bins one of these holds. */
  #width = 1
  #calls = 0
  #documents = 0
  #ok = 0
  #okUs = 0

  add({ throughput, operations, calls, documents }: PhasePart): void {
    this.#calls += calls
    this.#documents += documents
    for (const { latency } of operations.map((operation) => operation.calls)) {
      this.#ok += latency.ok?.count ?? 0
      this.#okUs += latency.ok?.sumUs ?? 0
    }
    for (const [bin, credit] of throughput) this.#credit(bin, credit)
  }

  /**
   * The last bins, as long as a mean call, are left out: calls that are still under way have no part in them yet, and at the end of the
   * window workers stop one after the other.
   * @param elapsedMs Nothing more comes of the time until then but calls under way.
   */
  series(elapsedMs: number): ThroughputSeries {
    const binMs = this.#width * shortestBinMs
    const meanLatencyMs = this.#ok === 0 ? 0 : this.#okUs / this.#ok / 1000
    const length = Math.max(0, Math.floor((elapsedMs - meanLatencyMs) / binMs))
    return {
      binMs,
      calls: Array.from({ length }, (_, bin) => (this.#bins[bin] ?? 0) / wholeCall),
      documentsPerCall: this.#calls === 0 ? 1 : Math.max(1, this.#documents / this.#calls),
      meanLatencyMs,
    }
  }

  #credit(bin: number, credit: number): void {
    while (bin >= maxBins * this.#width) this.#halve()
    const index = Math.floor(bin / this.#width)
    while (this.#bins.length <= index) this.#bins.push(0)
    this.#bins[index] = (this.#bins[index] ?? 0) + credit
  }

  #halve(): void {
    this.#width *= 2
    this.#bins = Array.from(
      { length: Math.ceil(this.#bins.length / 2) },
      (_, i) => (this.#bins[2 * i] ?? 0) + (this.#bins[2 * i + 1] ?? 0),
    )
  }
}
