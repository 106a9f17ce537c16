import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createMetrics } from '../../../src/run/live/metrics.ts'
import { type PushedMetrics, sendMetricsTo, writeMetricsTo } from '../../../src/run/live/push-metrics.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { aSecond } from './a-second.ts'

const inFolder = useFreshFolder()
const time = '2026-11-23T18:00:00.000Z'

function observe(metrics: PushedMetrics): void {
  void metrics.observe({ time, kind: 'specBegins', version: 1, spec: 'shop', resumed: false })
  void metrics.observe(aSecond())
  void metrics.observe(aSecond({ second: 1, inFlight: 12 }))
}

test('a file has what /metrics serves, and no time, which the textfile collector refuses', async () => {
  const file = inFolder('run.prom')
  const metrics = await writeMetricsTo(file)
  observe(metrics)
  await metrics.close()
  const served = createMetrics()
  observe({ observe: served.observe, close: async () => {} })
  const text = await readFile(file, 'utf8')
  expect(text).toBe(served.text())
  expect(text.split('\n').filter((line) => / \S+ \d+$/.test(line.replaceAll(/"[^"]*"|^#.*/g, '')))).toEqual([])
  expect(await readdir(path.dirname(file))).toEqual(['run.prom'])
})

test('a file that cannot be written is refused at once', async () => {
  const file = inFolder('nowhere', 'run.prom')
  await expect(writeMetricsTo(file)).rejects.toSay('metrics-file-unwritable', { file })
})

type Attribute = { readonly key: string; readonly value: { readonly stringValue: string } }
type Point = Readonly<Record<string, unknown>> & { readonly attributes: readonly Attribute[] }
type Data = {
  readonly dataPoints: readonly Point[]
  readonly aggregationTemporality?: number
  readonly isMonotonic?: boolean
}
type Metric = { readonly name: string; readonly sum?: Data; readonly gauge?: Data; readonly histogram?: Data }
type Sent = {
  readonly resourceMetrics: readonly [
    {
      readonly resource: { readonly attributes: readonly Attribute[] }
      readonly scopeMetrics: readonly [{ readonly metrics: readonly Metric[] }]
    },
  ]
}

/** A collector on 127.0.0.1, which answers with a status. */
async function collector(status: number) {
  const requests: { readonly path: string; readonly headers: object; readonly body: Sent }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Sent
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    url,
    requests,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

let nowMs = 1_764_000_000_000
const now = (): number => (nowMs += 1000)

const attributesOf = (point: Point | undefined) =>
  Object.fromEntries((point?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]))

test('a collector gets sums, gauges and histograms as OTLP has them, with its headers', async () => {
  await using there = await collector(200)
  const metrics = await sendMetricsTo({ url: there.url, headers: 'authorization=Bearer%20abc=', now })
  observe(metrics)
  await metrics.close()
  const last = there.requests.at(-1)
  expect(last).toMatchObject({
    path: '/v1/metrics',
    headers: { authorization: 'Bearer abc=', 'content-type': 'application/json' },
  })
  const [{ resource, scopeMetrics } = {}] = last?.body.resourceMetrics ?? []
  expect(resource?.attributes).toEqual([{ key: 'service.name', value: { stringValue: 'mongo-perf' } }])
  const byName = new Map(scopeMetrics?.[0].metrics.map((metric) => [metric.name, metric]))
  const { sum } = byName.get('mongo_perf_operations_total') ?? {}
  expect(sum).toMatchObject({ aggregationTemporality: 2, isMonotonic: true })
  const ok = sum?.dataPoints.find((point) => attributesOf(point)['outcome'] === 'ok')
  expect(ok?.['asDouble']).toBe(2000)
  expect(attributesOf(ok)).toMatchObject({ spec: 'shop', phase: 'insert', operation: 'insertOne' })
  expect(byName.get('mongo_perf_in_flight')?.gauge?.dataPoints[0]?.['asDouble']).toBe(12)
  const { histogram } = byName.get('mongo_perf_operation_duration_seconds') ?? {}
  const [point] = histogram?.dataPoints ?? []
  const counts = point?.['bucketCounts'] as readonly string[]
  const bounds = point?.['explicitBounds'] as readonly number[]
  expect(point).toMatchObject({ count: '2000', sum: 3 })
  expect(counts).toHaveLength(bounds.length + 1)
  expect([counts[bounds.indexOf(0.002)], counts[bounds.indexOf(0.01)]]).toEqual(['1800', '200'])
  const [start, end] = [point?.['startTimeUnixNano'], point?.['timeUnixNano']].map(String)
  expect([start, end].every((nanos) => /^\d{19}$/.test(String(nanos)))).toBe(true)
  expect(BigInt(String(end)) > BigInt(String(start))).toBe(true)
})

test('a collector that refuses, or is not there, is reported without its headers', async () => {
  const url = await (async () => {
    await using there = await collector(401)
    const headers = 'authorization=secret'
    await expect(sendMetricsTo({ url: there.url, headers, now })).rejects.toSay('otlp-refused', {
      at: there.url.origin,
    })
    return there.url
  })()
  await expect(sendMetricsTo({ url, headers: undefined, now })).rejects.toSay('otlp-unanswered', { at: url.origin })
})
