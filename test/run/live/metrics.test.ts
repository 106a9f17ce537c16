import { get } from 'node:http'
import { expect, test } from 'vitest'
import { startMetricsServer } from '../../../src/run/live/metrics-server.ts'
import { createMetrics } from '../../../src/run/live/metrics.ts'
import { aServer, aSecond } from './a-second.ts'

const time = '2026-11-23T18:00:00.000Z'

function observed(): ReturnType<typeof createMetrics> {
  const metrics = createMetrics()
  void metrics.observe({ time, kind: 'specBegins', version: 1, spec: 'shop', resumed: false })
  return metrics
}

const labels = 'spec="shop",row="2 10",phase="insert",pass="measured"'

test('counts of seconds add up, by operation and outcome', async () => {
  const { observe, text } = observed()
  void observe(aSecond())
  void observe(aSecond({ second: 1, inFlight: 12 }))
  const lines = text().split('\n')
  expect(lines).toContain(`mongo_perf_operations_total{${labels},operation="insertOne",outcome="ok"} 2000`)
  expect(lines).toContain(`mongo_perf_operations_total{${labels},operation="insertOne",outcome="failed"} 2`)
  expect(lines).toContain(`mongo_perf_in_flight{${labels}} 12`)
})

test('latencies are a histogram, whose buckets hold all operations up to their edges', async () => {
  const { observe, text } = observed()
  void observe(aSecond())
  void observe(aSecond({ second: 1 }))
  const name = 'mongo_perf_operation_duration_seconds'
  const lines = text().split('\n')
  const bucket = (le: string): string => `${name}_bucket{${labels},operation="insertOne",le="${le}"}`
  expect(lines).toContain(`# TYPE ${name} histogram`)
  expect(lines).toContain(`${bucket('0.001')} 0`)
  expect(lines).toContain(`${bucket('0.002')} 1800`)
  expect(lines).toContain(`${bucket('0.005')} 1800`)
  expect(lines).toContain(`${bucket('0.01')} 2000`)
  expect(lines).toContain(`${bucket('+Inf')} 2000`)
  expect(lines).toContain(`${name}_sum{${labels},operation="insertOne"} 3`)
  expect(lines).toContain(`${name}_count{${labels},operation="insertOne"} 2000`)
})

test('servers have gauges, but for what is not known of them', async () => {
  const { observe, text } = observed()
  void observe(aSecond({ servers: [aServer, { ...aServer, member: 'member1', cpuPercent: null }] }))
  const shown = text()
  expect(shown).toContain('mongo_perf_server_cpu_cores{spec="shop",member="member0"} 0.85')
  expect(shown).not.toContain('mongo_perf_server_cpu_cores{spec="shop",member="member1"}')
  expect(shown).toContain(`mongo_perf_server_cache_max_bytes{spec="shop",member="member1"} ${2 ** 30}`)
})

test('an open loop has what it dropped and sent late', async () => {
  const { observe, text } = observed()
  void observe(aSecond({ openLoop: { dropped: 3, late: 7, response: null } }))
  const shown = text()
  expect(shown).toContain(`mongo_perf_dropped_total{${labels}} 3`)
  expect(shown).toContain(`mongo_perf_late_total{${labels}} 7`)
})

test('labels with quotes and line breaks are escaped', async () => {
  const { observe, text } = observed()
  void observe(aSecond({ row: { label: 'a"b\n\\', number: 1, of: 1 } }))
  expect(text()).toContain('row="1 a\\"b\\n\\\\"')
})

test('a run of many rows does not grow without end', async () => {
  const { observe, text } = observed()
  for (let number = 1; number <= 40; number++) void observe(aSecond({ row: { label: '', number, of: 40 } }))
  const shown = text()
  expect(shown.match(/^mongo_perf_operations_total\{.*outcome="ok"/gm)).toHaveLength(16)
  expect(shown.match(/^mongo_perf_operation_duration_seconds_count/gm)).toHaveLength(16)
  expect(shown.match(/^mongo_perf_in_flight\{/gm)).toHaveLength(1)
  expect(shown).toContain('row="40"')
})

test('the server answers GET /metrics, and nothing else', async () => {
  const { url, observe, close } = await startMetricsServer({ host: '127.0.0.1', port: 0 })
  try {
    await observe(aSecond())
    const reply = await fetch(url)
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await reply.text()).toContain('mongo_perf_operations_total{')
    expect((await fetch(new URL('/', url))).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    // `fetch` sends the host of the address.
    const reached = new URL(url)
    const rebound = await new Promise((resolve) =>
      get(
        { host: reached.hostname, port: reached.port, path: '/metrics', headers: { host: 'evil.example' } },
        (answer) => resolve(answer.resume().statusCode),
      ),
    )
    expect(rebound).toBe(403)
  } finally {
    await close()
  }
})

test('an address that this machine does not have is a problem', async () => {
  const started = startMetricsServer({ host: '192.0.2.1', port: 0 })
  await expect(started).rejects.toSay('metrics-address-not-here', { address: '192.0.2.1:0' })
})
