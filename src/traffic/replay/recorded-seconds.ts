import { LatencyRecord, percentileMs } from '../../load/measure/latency.ts'

/** A day. */
const maxSeconds = 86_400

/** Recorded latencies over the time of a replay: of the calls that began in each second. Null: none did. */
export class RecordedSeconds {
  readonly p50Ms: (number | null)[] = []
  readonly p99Ms: (number | null)[] = []
  readonly #latency = new LatencyRecord()
  #second = 0

  /** Adds a call, in the order of their seconds. Those after the first day are left out. */
  add(second: number, us: number): void {
    if (second > this.#second) this.end()
    this.#second = Math.max(this.#second, second)
    if (second < maxSeconds) this.#latency.add(us)
  }

  /** Ends the last second. */
  end(): void {
    const latency = this.#latency.take()
    if (latency === undefined) return
    while (this.p50Ms.length < this.#second) for (const series of [this.p50Ms, this.p99Ms]) series.push(null)
    this.p50Ms.push(percentileMs(latency, 50))
    this.p99Ms.push(percentileMs(latency, 99))
  }
}
