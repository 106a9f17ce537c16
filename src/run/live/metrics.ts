import { type LiveListener, type LiveOperation, type LiveSecond, type LiveServer } from './live-events.ts'

/** Passes of phases whose counts are still shown. Older ones are forgotten: a run of many rows would grow without end. */
const maxPasses = 16

const ofPass = ['spec', 'row', 'phase', 'pass'] as const

type PassLabels = Readonly<Record<(typeof ofPass)[number], string>>

export type Metrics = {
  readonly observe: LiveListener
  /** Returns the values in the text format of Prometheus. */
  readonly text: () => string
  readonly points: () => readonly MetricPoints[]
}

/** The values of a metric, for other formats. */
export type MetricPoints = {
  readonly name: string
  readonly help: string
  readonly kind: 'sum' | 'gauge' | 'histogram'
  readonly values: readonly MetricPoint[]
}

/** A value; of a histogram, its counts in each bucket and the sum of what it counts. */
export type MetricPoint = Value | Latencies

type Value = { readonly labels: Labels; value: number }

type Latencies = {
  readonly labels: Labels
  /** Operations up to each edge, and above the edge before it; the last one has those above all edges. */
  readonly counts: number[]
  sumSeconds: number
}

type Labels = Readonly<Record<string, string>>

export function createMetrics(): Metrics {
  const operations = createMetric('operations_total', 'sum', zero)
  const durations = createMetric('operation_duration_seconds', 'histogram', noLatencies)
  const inFlight = createMetric('in_flight', 'gauge', zero)
  const dropped = createMetric('dropped_total', 'sum', zero)
  const late = createMetric('late_total', 'sum', zero)
  const ofServers = serverGauges.map(([name, read]) => ({ gauge: createMetric(name, 'gauge', zero), read }))
  const all = [operations, durations, inFlight, dropped, late, ...ofServers.map(({ gauge }) => gauge)]

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
    dropped.forget(labels)
    late.forget(labels)
    for (const operation of names) {
      durations.forget({ ...labels, operation })
      for (const outcome of outcomes) operations.forget({ ...labels, operation, outcome })
    }
  }

  function addSecond(second: LiveSecond): void {
    const labels = enterPass(second)
    for (const one of second.operations) {
      const { name: operation } = one
      for (const outcome of outcomes) operations.at({ ...labels, operation, outcome }).value += one[outcome]
      addLatencies(durations.at({ ...labels, operation }), one)
    }
    inFlight.at(labels).value = second.inFlight
    if (second.openLoop !== null) {
      dropped.at(labels).value += second.openLoop.dropped
      late.at(labels).value += second.openLoop.late
    }
    showServers(second.servers)
  }

  function showServers(servers: readonly LiveServer[]): void {
    for (const { gauge, read } of ofServers) {
      gauge.reset()
      for (const server of servers) {
        const value = read(server)
        if (value !== null) gauge.at({ spec, member: server.member }).value = value
      }
    }
  }

  return {
    observe(event) {
      if (event.kind === 'specBegins') ({ spec } = event)
      if (event.kind === 'second') addSecond(event)
    },
    text: () => all.map((metric) => formatMetric(metric.read())).join('\n'),
    points: () => all.map((metric) => metric.read()),
  }
}

/** Gauges of a server, with what is read from it: null where that is not known. */
const serverGauges = [
  ['server_cpu_cores', ({ cpuPercent }: LiveServer) => (cpuPercent === null ? null : cpuPercent / 100)],
  ['server_cache_bytes', ({ cacheBytes }: LiveServer) => cacheBytes],
  ['server_cache_max_bytes', ({ cacheMaxBytes }: LiveServer) => cacheMaxBytes],
  ['server_cache_dirty_bytes', ({ cacheDirtyBytes }: LiveServer) => cacheDirtyBytes],
] as const

const meanings = {
  operations_total: 'Operations that have ended, by outcome: ok, failed or unknown.',
  operation_duration_seconds: 'Latencies of successful operations.',
  in_flight: 'Operations that wait for their replies.',
  dropped_total: 'Arrivals of an open loop that were not sent.',
  late_total: 'Operations of an open loop that were sent more than 2 ms after their time.',
  server_cpu_cores: 'CPU time that the process of a member takes; 1 is one core.',
  server_cache_bytes: 'Bytes in the WiredTiger cache of a member.',
  server_cache_max_bytes: 'Configured size of that cache.',
  server_cache_dirty_bytes: 'Bytes in that cache not yet in a data file.',
} as const

/** Creates a metric, which has a point for each set of labels that it was asked for. */
function createMetric<Point extends MetricPoint>(
  name: keyof typeof meanings,
  kind: MetricPoints['kind'],
  create: (labels: Labels) => Point,
) {
  const points = new Map<string, Point>()
  return {
    at(labels: Labels): Point {
      const key = JSON.stringify(labels)
      const point = points.get(key) ?? create(labels)
      points.set(key, point)
      return point
    },
    forget: (labels: Labels) => points.delete(JSON.stringify(labels)),
    reset: () => points.clear(),
    read: (): MetricPoints => ({
      name: `mongo_perf_${name}`,
      help: meanings[name],
      kind,
      values: [...points.values()],
    }),
  }
}

const zero = (labels: Labels): Value => ({ labels, value: 0 })

const noLatencies = (labels: Labels): Latencies => ({
  labels,
  counts: [...edgesUs, Infinity].map(() => 0),
  sumSeconds: 0,
})

const outcomes = ['ok', 'failed', 'unknown'] as const

/** Runs of one row are apart, or their counts would add up. */
const rowName = ({ row: { label, number } }: LiveSecond): string =>
  label === '' ? String(number) : `${number} ${label}`

/** Upper edges in microseconds: 1, 2 and 5 of each decade, from 50 µs to 200 s. */
const edgesUs = [1, 2, 3, 4, 5, 6, 7].flatMap((decade) => [5, 10, 20].map((digits) => digits * 10 ** decade))

/** The same in seconds: upper edges of all buckets but the last, which has none. */
export const boundsSeconds: readonly number[] = edgesUs.map((edge) => edge / 1e6)

function addLatencies(
  latencies: Latencies,
  { sumMs, distribution }: Pick<LiveOperation, 'sumMs' | 'distribution'>,
): void {
  latencies.sumSeconds += sumMs / 1000
  for (const { upToMs, calls } of distribution) {
    const bucket = edgesUs.findIndex((edge) => Math.round(upToMs * 1000) <= edge)
    const index = bucket === -1 ? edgesUs.length : bucket
    latencies.counts[index] = (latencies.counts[index] ?? 0) + calls
  }
}

function formatMetric({ name, help, kind, values }: MetricPoints): string {
  const type = kind === 'sum' ? 'counter' : kind
  const lines = values.flatMap((point) =>
    'value' in point ? formatSample(name, point.labels, point.value) : formatHistogram(name, point),
  )
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function formatHistogram(name: string, { labels, counts, sumSeconds }: Latencies): readonly string[] {
  let count = 0
  const buckets = counts.map((calls, i) => {
    count += calls
    return formatSample(`${name}_bucket`, { ...labels, le: String(boundsSeconds[i] ?? '+Inf') }, count)
  })
  return [...buckets, formatSample(`${name}_sum`, labels, sumSeconds), formatSample(`${name}_count`, labels, count)]
}

const escapeText = (text: string): string => text.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')

function formatSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeText(text)}"`)
  return `${name}{${pairs.join(',')}} ${value}`
}
