import { describe, expect, test } from 'vitest'
import { bundledDriver } from '../../../src/load/engines/driver/load-driver.ts'
import { varyingParameters } from '../../../src/metrics/rows/parameters.ts'
import { listRows } from '../../../src/metrics/rows/rows.ts'
import { findSibling } from '../../../src/metrics/rows/siblings.ts'
import { type Result } from '../../../src/results/schema.ts'
import { failedVariant, newResult } from '../../../src/run/keep-result.ts'
import { provenanceHere } from '../../../src/run/provenance.ts'
import { type LoadedSpec, loadSpecFile, type Overrides, type SpecRow } from '../../../src/spec/load-spec.ts'
import { load, aPhase, problemsOf } from '../../fakes/a-spec.ts'

const small = { name: 'small', uriFrom: 'MONGO_PERF_URI_SMALL', facts: { pricePerHour: 0.5 } }
const large = { name: 'large', uriFrom: 'MONGO_PERF_URI_LARGE' }
const servers = [small, large]

const labelsOf = (parts: object, overrides: Overrides = {}): readonly string[] =>
  load({ ...parts }, { servers, ...overrides }).rows.map(({ label }) => label)

const batches = {
  variants: { batch: [1, 10] },
  phases: [aPhase({ operations: [{ kind: 'insertMany', documentsPerCall: { '@param': 'batch' } }] })],
}

/** As the shipped specs are whose rows are written one by one. */
const queries = {
  parameters: { limit: 1 },
  variants: [{ label: 'one' }, { label: 'ten', limit: 10 }],
  phases: [aPhase({ operations: [{ kind: 'find', filter: {}, limit: { '@param': 'limit' } }] })],
}

const firstRunOf = (row: SpecRow) => ({ row, run: 1, startUp: false })

/** As it is stored, without any figures. */
function resultOf(spec: LoadedSpec): Result {
  const startedAt = new Date(0)
  const variants = spec.rows.map((row) => failedVariant(firstRunOf(row), 'failed', '', startedAt))
  const stored = { startedAt: startedAt.toISOString(), variants, compact: false, warnings: [] }
  return newResult(spec, { repeat: spec.repeat, ...stored, ...provenanceHere(bundledDriver()) })
}

test('every row of a spec runs on each server, the servers outermost', () => {
  const { rows } = load(batches, { servers })
  expect(rows.map(({ index, label }) => `${index}: ${label}`)).toEqual([
    '0: server small, batch 1',
    '1: server small, batch 10',
    '2: server large, batch 1',
    '3: server large, batch 10',
  ])
  expect(rows[0]?.spec.target).toEqual({ kind: 'existing', uriFrom: small.uriFrom, facts: small.facts })
  expect(rows[3]?.spec.target).toEqual({ kind: 'existing', uriFrom: large.uriFrom, facts: {} })
  expect(rows[3]?.varied).toEqual(['server', 'batch'])
  expect(rows[3]?.parameters.get('server')).toMatchObject({ label: 'large', choice: 1 })
})

test('a spec of one row has one for each server', () => {
  expect(labelsOf({})).toEqual(['server small', 'server large'])
})

test('a server can be chosen, and a row of the spec, and both by the label of a row', () => {
  expect(labelsOf(batches, { only: ['server=large'] })).toEqual(['server large, batch 1', 'server large, batch 10'])
  expect(labelsOf(batches, { only: ['batch=10'] })).toEqual(['server small, batch 10', 'server large, batch 10'])
  expect(labelsOf(batches, { only: ['server large, batch 1'] })).toEqual(['server large, batch 1'])
  expect(() => labelsOf(batches, { only: ['server=larg'] })).toSay('spec-only-without-server')
})

describe('rows that are written one by one', () => {
  test('keep their labels, by which a report finds them', () => {
    const { rows } = load(queries, { servers })
    expect(rows.map(({ label, parameters }) => [label, parameters.get('label')?.value])).toEqual([
      ['server small, one', 'one'],
      ['server small, ten', 'ten'],
      ['server large, one', 'one'],
      ['server large, ten', 'ten'],
    ])
  })

  test('are told apart by their label and their server, and compared on the same server', () => {
    const result = resultOf(load(queries, { servers }))
    expect(varyingParameters(result)).toEqual(['server', 'label'])
    const rows = listRows(result, 'variants')
    const sibling = rows.map((row) => findSibling(row, { label: 'one' }, rows, result.spec.varied)?.variant.label)
    expect(sibling).toEqual(['server small, one', 'server small, one', 'server large, one', 'server large, one'])
  })
})

test('lists are told apart by the server and what they vary', () => {
  expect(varyingParameters(resultOf(load(batches, { servers })))).toEqual(['server', 'batch'])
})

test('what a spec varies in its own targets alone has no row any more, and no report', () => {
  const disks = {
    target: { kind: 'standalone', server: { cacheGB: { '@param': 'cache' } } },
    variants: { cache: [1, 2], n: [5, 6] },
    phases: [aPhase({ stopAfter: { operations: { '@param': 'n' } } })],
    report: { tables: [{ title: 'Caches', columns: [{ parameter: 'cache' }] }] },
  }
  const { rows } = load(disks, { servers })
  expect(rows.map(({ label }) => label)).toEqual([
    'server small, n 5',
    'server small, n 6',
    'server large, n 5',
    'server large, n 6',
  ])
  expect(rows[0]?.parameters.has('cache')).toBe(false)
  expect(rows[0]?.spec.report).toEqual({})
  const written = {
    ...disks,
    variants: [
      { label: 'one', cache: 1 },
      { label: 'two', cache: 2 },
    ],
    phases: [aPhase()],
  }
  expect(() => load(written, { servers })).toSay('spec-servers-rows-of-targets')
})

test('a spec that varies a parameter "server" itself is refused by its name', () => {
  const own = { target: { '@param': 'server' }, variants: { server: [{ kind: 'standalone' }] } }
  expect(() => load(own, { servers })).toSay('spec-servers-parameter-of-spec')
})

test('sentences and published figures of one server are left out, other prose stays', () => {
  const report = {
    let: { speed: { '@metric': { of: 'opsPerSecond', at: { batch: 10 } } }, seed: { '@add': [1, 1] } },
    description: 'Drawn with {{seed}}.',
    analysis: 'Ten at once: {{speed}}.',
    keyTakeaways: 'Batch your writes.',
  }
  expect(problemsOf({ ...batches, report })).toEqual([])
  const { description, analysis, keyTakeaways } = load({ ...batches, report }, { servers }).rows[0]?.spec.report ?? {}
  expect([description, analysis, keyTakeaways]).toEqual([report.description, undefined, report.keyTakeaways])
})

test('a table of one row that has figures gets one for each server', () => {
  const tables = [
    { title: 'Speed', rows: 'once', columns: ['opsPerSecond'] },
    { title: 'Servers', rows: 'once', columns: [{ fact: 'instanceType' }] },
  ]
  const { report } = load({ report: { tables } }, { servers }).rows[0]?.spec ?? {}
  expect(report?.tables?.map(({ rows }) => rows)).toEqual(['variants', 'once'])
})

test('a fact that cannot be one is refused with the name of its server', () => {
  const wrong = [{ ...small, facts: { pricePerHour: -1 } }]
  expect(() => load({}, { servers: wrong })).toSay('spec-servers-fact')
})

test.each(['insert-batch-size', 'query-types', 'update-complexity', 'query-disk', 'instance-size'])(
  'the shipped spec %s runs on servers of the command line',
  async (name) => {
    const file = `fixtures/specs/performance-tables/${name}.json`
    const { rows } = await loadSpecFile(file, { profile: 'smoke', servers })
    const half = rows.length / 2
    expect(rows.slice(0, half).map(({ spec }) => spec.target)).toEqual(
      Array.from({ length: half }, () => ({ kind: 'existing', uriFrom: small.uriFrom, facts: small.facts })),
    )
    expect(new Set(rows.map(({ label }) => label)).size).toBe(rows.length)
  },
)
