import { Histogram, type Registry } from 'prom-client'
import { type LiveOperation } from './live-events.ts'

/** Upper edges in microseconds: 1, 2 and 5 of each decade, from 50 µs to 200 s. */
const edgesUs = [1, 2, 3, 4, 5, 6, 7].flatMap((decade) => [5, 10, 20].map((digits) => digits * 10 ** decade))

type Labels = Readonly<Record<string, string>>

type Observed = {
  readonly labels: Labels
  /** Operations up to each edge, and above the edge before it; the last one has those above all edges. */
  readonly counts: number[]
  sumSeconds: number
}

/** A histogram that is handed counts: that of the package takes latencies one by one, 100 000 a second of them if need be. */
export class LatencyHistogram extends Histogram {
  readonly #description: { readonly name: string; readonly help: string }
  readonly #observed = new Map<string, Observed>()

  constructor(description: { readonly name: string; readonly help: string }, registry: Registry) {
    super({ ...description, registers: [registry] })
    this.#description = description
  }

  add(labels: Labels, { sumMs, distribution }: Pick<LiveOperation, 'sumMs' | 'distribution'>): void {
    const key = JSON.stringify(labels)
    const observed = this.#observed.get(key) ?? { labels, counts: [...edgesUs, Infinity].map(() => 0), sumSeconds: 0 }
    this.#observed.set(key, observed)
    observed.sumSeconds += sumMs / 1000
    for (const { upToMs, calls } of distribution) {
      const bucket = edgesUs.findIndex((edge) => Math.round(upToMs * 1000) <= edge)
      const index = bucket === -1 ? edgesUs.length : bucket
      observed.counts[index] = (observed.counts[index] ?? 0) + calls
    }
  }

  forget(labels: Labels): void {
    this.#observed.delete(JSON.stringify(labels))
  }

  /** What the registry of the package asks for. */
  async getForPromString() {
    const { name } = this.#description
    const values = [...this.#observed.values()].flatMap((observed) => samplesOf(name, observed))
    return { ...this.#description, type: 'histogram', aggregator: 'sum', values }
  }
}

function samplesOf(name: string, { labels, counts, sumSeconds }: Observed) {
  let count = 0
  const buckets = counts.map((calls, i) => {
    const edge = edgesUs[i]
    count += calls
    return {
      metricName: `${name}_bucket`,
      labels: { ...labels, le: edge === undefined ? '+Inf' : String(edge / 1e6) },
      value: count,
    }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
