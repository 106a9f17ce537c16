/**
 * How much of its successful calls was done in which part of the window: a call counts in equal parts over the time that it took, so
 * that five calls a second, each of a thousand documents, are as even as they were. Keys are numbers of bins of `shortestBinMs`, counted
 * from the beginning of the window; values are in millionths of a call, whole numbers, so that parts merge in any order.
 */
export type ThroughputPart = ReadonlyMap<number, number>

/** The finest bins, which units record. */
export const shortestBinMs = 100

/** One call in the unit of a throughput part. */
export const wholeCall = 1_000_000

export const noThroughput: ThroughputPart = new Map()

export function mergeThroughput(parts: readonly ThroughputPart[]): ThroughputPart {
  const merged = new Map<number, number>()
  for (const part of parts) for (const [bin, credit] of part) merged.set(bin, (merged.get(bin) ?? 0) + credit)
  return merged
}

/** Records successful calls, in the order in which they end, until they are taken. */
export class ThroughputRecord {
  readonly #windowStartMs: number
  #credits = new Map<number, number>()
  /** The bin in which calls end now. */
  #bin = 0
  #binStartMs: number
  #binEndMs: number
  /** Calls that lie within it: credited when it is over. */
  #within = 0

  constructor(windowStartMs: number) {
    this.#windowStartMs = windowStartMs
    this.#binStartMs = windowStartMs
    this.#binEndMs = windowStartMs + shortestBinMs
  }

  // Runs once per call: only those that cross a border of bins need more than this.
  add(startMs: number, endMs: number): void {
    if (startMs >= this.#binStartMs && endMs < this.#binEndMs) this.#within += 1
    else this.#spread(startMs, endMs)
  }

  /** Takes the throughput recorded since the last time. */
  take(): ThroughputPart {
    this.#creditWithin()
    const part = this.#credits
    this.#credits = new Map()
    return part
  }

  #spread(startMs: number, endMs: number): void {
    const last = this.#binOf(endMs)
    if (endMs >= this.#binEndMs) this.#enter(last)
    const perMs = wholeCall / (endMs - startMs)
    let credited = 0
    for (let bin = this.#binOf(startMs); bin < last; bin++) {
      const soFar = Math.round((this.#windowStartMs + (bin + 1) * shortestBinMs - startMs) * perMs)
      this.#credit(bin, soFar - credited)
      credited = soFar
    }
    this.#credit(last, wholeCall - credited)
  }

  #enter(bin: number): void {
    this.#creditWithin()
    this.#bin = bin
    this.#binStartMs = this.#windowStartMs + bin * shortestBinMs
    this.#binEndMs = this.#binStartMs + shortestBinMs
  }

  #creditWithin(): void {
    if (this.#within > 0) this.#credit(this.#bin, this.#within * wholeCall)
    this.#within = 0
  }

  #credit(bin: number, credit: number): void {
    if (credit > 0) this.#credits.set(bin, (this.#credits.get(bin) ?? 0) + credit)
  }

  #binOf(ms: number): number {
    return Math.max(0, Math.floor((ms - this.#windowStartMs) / shortestBinMs))
  }
}
