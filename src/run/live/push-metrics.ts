import { rename, writeFile } from 'node:fs/promises'
import { unescape } from 'node:querystring'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { toolVersion } from '../../core/versions.ts'
import { sum } from '../../metrics/statistics.ts'
import { unwritableCode } from '../../results/files/results-file.ts'
import { type LiveListener } from './live-events.ts'
import { boundsSeconds, createMetrics, type MetricPoint, type MetricPoints, type Metrics } from './metrics.ts'

/** Metrics that are handed on while a run goes on. */
export type PushedMetrics = {
  readonly observe: LiveListener
  /**
   * Hands on what is left.
   * @throws {Problem} when that, or an earlier attempt, failed.
   */
  readonly close: () => Promise<void>
}

const everySeconds = 5

/** Hands the metrics of a run on: at once, so that a wrong place is noticed, then every five seconds and at the end of each phase. */
async function pushMetrics(put: (metrics: Metrics) => Promise<void>): Promise<PushedMetrics> {
  const metrics = createMetrics()
  await put(metrics)
  let [pending, failure]: [Promise<void> | undefined, unknown] = [undefined, undefined]
  return {
    // Nothing is waited for: the run goes on without it, and what it measures is in the result.
    observe(event) {
      void metrics.observe(event)
      const isDue = event.kind === 'phaseEnds' || (event.kind === 'second' && event.second % everySeconds === 0)
      if (!isDue || pending !== undefined) return
      pending = put(metrics)
        .catch((error: unknown) => (failure ??= error))
        .then(() => (pending = undefined))
    },
    async close() {
      await pending
      await put(metrics)
      if (failure !== undefined) throw failure
    },
  }
}

/**
 * Writes the metrics of a run to a file in the format of Prometheus, which is complete at any time: for the textfile collector of
 * node_exporter. It is not synced to the disk, which the servers that are measured may share.
 * @throws {Problem} "output-unwritable"
 */
export const writeMetricsTo = (path: string): Promise<PushedMetrics> =>
  pushMetrics(async ({ text }) => {
    const unfinished = `${path}.tmp`
    try {
      await writeFile(unfinished, text())
      await rename(unfinished, path)
    } catch (cause) {
      const code = describeErrorCode(cause)
      throw new Problem(unwritableCode(code), `--metrics-file: ${path} cannot be written (${code})`, {
        hint: 'Name a file in the folder of the textfile collector, to which this user may write.',
        cause,
      })
    }
  })

/** A collector that takes too long is skipped. */
const timeoutMs = 4000

/** A collector of OpenTelemetry. */
export type Collector = {
  /** Its URL without the path, such as http://127.0.0.1:4318. */
  readonly url: URL
  /** Headers as OTEL_EXPORTER_OTLP_HEADERS has them: "name=value,name=value". Secrets. */
  readonly headers: string | undefined
  /** The time in milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Sends the metrics of a run to a collector, as OTLP in JSON over HTTP.
 * @throws {Problem} "target-unreachable"
 */
export function sendMetricsTo({ url, headers = '', now }: Collector): Promise<PushedMetrics> {
  const endpoint = new URL(`${url.pathname.replace(/\/(v1\/metrics)?$/, '')}/v1/metrics`, url)
  const own = headers.split(',').flatMap((text) => {
    const [name = '', ...value] = text.split('=')
    return value.length === 0 ? [] : [[name.trim(), unescape(value.join('=').trim())] as const]
  })
  const startMs = now()
  return pushMetrics(async ({ points }) => {
    const body = JSON.stringify(toOtlp(points(), { startMs, nowMs: now() }))
    const sent = { 'content-type': 'application/json', ...Object.fromEntries(own) }
    const reply = await fetch(endpoint, {
      method: 'POST',
      headers: sent,
      body,
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => error)
    if (reply instanceof Response && reply.ok) return await reply.body?.cancel()
    const reason = reply instanceof Response ? `it answered with ${reply.status}` : 'no answer'
    throw new Problem('target-unreachable', `--otlp: ${endpoint.origin} did not take the metrics: ${reason}`, {
      hint: 'Name a collector that takes OTLP over HTTP, usually at port 4318; OTEL_EXPORTER_OTLP_HEADERS has its headers.',
    })
  })
}

type Times = { readonly startMs: number; readonly nowMs: number }

/** Counts since the run began, which never fall: `cumulative` in the words of OTLP. */
const counted = { aggregationTemporality: 2 } as const

const kindFields = { sum: { ...counted, isMonotonic: true }, gauge: {}, histogram: counted } as const

/** Metrics as a request of OTLP, in whose JSON whole numbers of 64 bits are texts. */
function toOtlp(all: readonly MetricPoints[], { startMs, nowMs }: Times): object {
  const times = { startTimeUnixNano: `${startMs}000000`, timeUnixNano: `${nowMs}000000` }
  const metrics = all.map(({ name, help: description, kind, values }) => {
    const dataPoints = values.map((point) => ({ attributes: toAttributes(point.labels), ...times, ...toValue(point) }))
    return { name, description, [kind]: { ...kindFields[kind], dataPoints } }
  })
  const scope = { name: 'mongo-perf', version: toolVersion() }
  const resource = { attributes: toAttributes({ 'service.name': 'mongo-perf' }) }
  return { resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] }
}

const toValue = (point: MetricPoint): object =>
  'value' in point
    ? { asDouble: point.value }
    : {
        count: String(sum(point.counts)),
        sum: point.sumSeconds,
        bucketCounts: point.counts.map(String),
        explicitBounds: boundsSeconds,
      }

const toAttributes = (labels: object): readonly object[] =>
  Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: String(value) } }))
