import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type LiveListener, type LiveOperation, type LiveSecond, type LiveServer } from './live-events.ts'

/** Passes of phases whose counts are still shown. Older ones are forgotten: a run of many rows would grow without end. */
const maxPasses = 16

const ofPass = ['spec', 'row', 'phase', 'pass'] as const

type PassLabels = Readonly<Record<(typeof ofPass)[number], string>>

/** The metrics of a run, in the format of Prometheus. */
export type Metrics = {
  readonly observe: LiveListener
  readonly contentType: string
  readonly text: () => Promise<string>
  readonly points: () => Promise<readonly MetricPoints[]>
}

/** The values of a metric, for other formats. */
export type MetricPoints = {
  readonly name: string
  readonly help: string
  readonly kind: 'sum' | 'gauge' | 'histogram'
  readonly values: readonly MetricPoint[]
}

/** A value; of a histogram, its counts in each bucket and the sum of what it counts. */
export type MetricPoint =
  | { readonly labels: object; readonly value: number }
  | { readonly labels: object; readonly counts: readonly number[]; readonly sumSeconds: number }

/** Creates metrics without any value. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Name extends string>(name: string, help: string, labelNames: readonly Name[]): Counter<Name> =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <Name extends string>(name: string, help: string, labelNames: readonly Name[]): Gauge<Name> =>
    new Gauge({ name, help, labelNames, registers })
  const operations = counter(
    'mongo_perf_operations_total',
    'Operations that have ended, by outcome: ok, failed or unknown.',
    [...ofPass, 'operation', 'outcome'],
  )
  const durations = new LatencyHistogram(
    { name: 'mongo_perf_operation_duration_seconds', help: 'Latencies of successful operations.' },
    registry,
  )
  const inFlight = gauge('mongo_perf_in_flight', 'Operations that wait for their replies.', ofPass)
  const dropped = counter('mongo_perf_dropped_total', 'Arrivals of an open loop that were not sent.', ofPass)
  const late = counter(
    'mongo_perf_late_total',
    'Operations of an open loop that were sent more than 2 ms after their time.',
    ofPass,
  )
  const ofServer = ['spec', 'member'] as const
  const cpu = gauge(
    'mongo_perf_server_cpu_cores',
    'CPU time that the process of a member takes; 1 is one core.',
    ofServer,
  )
  const cache = gauge('mongo_perf_server_cache_bytes', 'Bytes in the WiredTiger cache of a member.', ofServer)
  const cacheMax = gauge('mongo_perf_server_cache_max_bytes', 'Configured size of that cache.', ofServer)
  const dirty = gauge('mongo_perf_server_cache_dirty_bytes', 'Bytes in that cache not yet in a data file.', ofServer)
  const ofServers = [cpu, cache, cacheMax, dirty]

  let spec = ''
  let passes: readonly { readonly labels: PassLabels; readonly operations: Set<string> }[] = []

  function enterPass(second: LiveSecond): PassLabels {
    const labels = { spec, row: rowName(second), phase: second.phase, pass: second.pass }
    const newest = passes.at(-1)
    const known = newest !== undefined && ofPass.every((name) => newest.labels[name] === labels[name])
    if (!known) {
      passes = [...passes, { labels, operations: new Set<string>() }]
      inFlight.reset()
    }
    for (const { name } of second.operations) passes.at(-1)?.operations.add(name)
    for (const pass of passes.slice(0, -maxPasses)) forget(pass)
    passes = passes.slice(-maxPasses)
    return labels
  }

  function forget({ labels, operations: names }: (typeof passes)[number]): void {
    dropped.remove(labels)
    late.remove(labels)
    for (const operation of names) {
      durations.forget({ ...labels, operation })
      for (const outcome of outcomes) operations.remove({ ...labels, operation, outcome })
    }
  }

  function addSecond(second: LiveSecond): void {
    const labels = enterPass(second)
    for (const one of second.operations) {
      const { name: operation } = one
      for (const outcome of outcomes) operations.inc({ ...labels, operation, outcome }, one[outcome])
      durations.add({ ...labels, operation }, one)
    }
    inFlight.set(labels, second.inFlight)
    if (second.openLoop !== null) {
      dropped.inc(labels, second.openLoop.dropped)
      late.inc(labels, second.openLoop.late)
    }
    showServers(second.servers)
  }

  function showServers(servers: readonly LiveServer[]): void {
    for (const one of ofServers) one.reset()
    for (const { member, cpuPercent, cacheBytes, cacheMaxBytes, cacheDirtyBytes } of servers) {
      const values = [cpuPercent === null ? null : cpuPercent / 100, cacheBytes, cacheMaxBytes, cacheDirtyBytes]
      for (const [i, value] of values.entries()) if (value !== null) ofServers[i]?.set({ spec, member }, value)
    }
  }

  return {
    observe(event) {
      if (event.kind === 'specBegins') ({ spec } = event)
      if (event.kind === 'second') addSecond(event)
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    points: async () => [
      ...(await Promise.all([operations, dropped, late].map((one) => readPoints('sum', one)))),
      ...(await Promise.all([inFlight, ...ofServers].map((one) => readPoints('gauge', one)))),
      durations.points(),
    ],
  }
}

async function readPoints(kind: 'sum' | 'gauge', metric: Pick<Counter | Gauge, 'get'>): Promise<MetricPoints> {
  const { name, help, values } = await metric.get()
  return { kind, name, help, values }
}

const outcomes = ['ok', 'failed', 'unknown'] as const

/** Runs of one row are apart, or their counts would add up. */
const rowName = ({ row: { label, number } }: LiveSecond): string =>
  label === '' ? String(number) : `${number} ${label}`

/** Upper edges in microseconds: 1, 2 and 5 of each decade, from 50 µs to 200 s. */
const edgesUs = [1, 2, 3, 4, 5, 6, 7].flatMap((decade) => [5, 10, 20].map((digits) => digits * 10 ** decade))

/** The same in seconds: upper edges of all buckets but the last, which has none. */
export const boundsSeconds: readonly number[] = edgesUs.map((edge) => edge / 1e6)

type Labels = Readonly<Record<string, string>>

type Observed = {
  readonly labels: Labels
  /** Operations up to each edge, and above the edge before it; the last one has those above all edges. */
  readonly counts: number[]
  sumSeconds: number
}

/** A histogram that is handed counts: that of the package takes latencies one by one, 100 000 a second of them if need be. */
class LatencyHistogram extends Histogram {
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

  points(): MetricPoints {
    return { kind: 'histogram', ...this.#description, values: [...this.#observed.values()] }
  }

  /** Returns the text that the registry of the package asks for. */
  async getForPromString() {
    const { name } = this.#description
    const values = [...this.#observed.values()].flatMap((observed) => createSamples(name, observed))
    return { ...this.#description, type: 'histogram', aggregator: 'sum', values }
  }
}

function createSamples(name: string, { labels, counts, sumSeconds }: Observed) {
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
