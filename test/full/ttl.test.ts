import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../src/entries/index.ts'

/** Servers of their own: they look for old documents once a second, and shared ones once a minute. */
const target = { kind: 'standalone', server: { setParameters: { ttlMonitorSleepSecs: 1 } } }

const old = { '@date': { min: '2020-01-01T00:00:00Z', max: '2020-01-02T00:00:00Z' } }

test.each<[string, object]>([
  ['an index', { indexes: [{ key: { at: 1 }, expireAfterSeconds: 60 }] }],
  ['a time series', { options: { timeseries: { timeField: 'at' }, expireAfterSeconds: 60 } }],
])('documents that expire by %s are counted where they are deleted', async (_, kind) => {
  const spec = {
    name: 'ttl',
    target,
    data: { collection: 'events', document: { at: old }, ...kind },
    phases: [{ name: 'insert', stopAfter: { seconds: 6 }, operations: [{ kind: 'insertOne' }] }],
    report: { tables: [{ title: 'T', columns: ['ttlDeletes'] }] },
  }
  const { variants } = await run(spec as SpecInput)
  const [variant] = variants
  const totals = variant?.phases[0]?.members[0]?.totals
  expect(totals?.ttlDeletes).toBeGreaterThan(0)
})
