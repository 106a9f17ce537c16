import { describe, expect, test } from 'vitest'
import { varyingParameters } from '../../src/metrics/rows/parameters.ts'
import { renderReport } from '../../src/report/report.ts'
import { type Result, type VariantResult } from '../../src/results/schema.ts'
import { load } from '../fakes/a-spec.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { inLight } from '../fakes/in-light.ts'

/** Topologies whose servers take a setting that varies too. */
const parts = {
  target: { '@param': 'topology' },
  parameters: {
    server: { version: { '@param': 'version' }, setParameters: { syncdelay: { '@param': 'sync' } } },
    topologies: [
      { label: 'alone', value: { kind: 'standalone', server: { '@param': 'server' } } },
      { label: 'three', value: { kind: 'replicaSet', members: 3, server: { '@param': 'server' } } },
    ],
  },
  variants: { version: ['6.0', '8.0'], topology: { '@param': 'topologies' }, sync: [60, 1] },
}

const { rows } = load(parts)

function resultWith(report: object): Result {
  const variants = rows.map(({ index, label, parameters }) => {
    const operations = [fakeOperation({ ok: 1000 * (index + 1) })]
    return fakeVariant({
      row: index,
      label,
      parameters: Object.fromEntries(parameters) as VariantResult['parameters'],
      phases: [fakePhase({ wallSeconds: 1, operations })],
    })
  })
  const varied = ['version', 'topology', 'sync']
  return fakeResult({ variants, spec: { varied, effective: parts as never, report: report as never } })
}

test('a parameter may hold others that vary, in a target too', () => {
  expect(rows.map(({ label }) => label).slice(0, 2)).toEqual([
    'version 6.0, topology alone, sync 60',
    'version 6.0, topology alone, sync 1',
  ])
  expect(rows.map(({ spec: { target } }) => target).slice(2, 5)).toMatchObject([
    { kind: 'replicaSet', server: { version: '6.0', setParameters: { syncdelay: 60 } } },
    { kind: 'replicaSet', server: { version: '6.0', setParameters: { syncdelay: 1 } } },
    { kind: 'standalone', server: { version: '8.0', setParameters: { syncdelay: 60 } } },
  ])
})

describe('a report of such rows', () => {
  test('takes a choice for one however the values in it differ', () =>
    expect(varyingParameters(resultWith({}))).toEqual(['version', 'topology', 'sync']))

  test('finds the row that differs in one parameter alone', () => {
    const columns = [
      { parameter: 'version' },
      { parameter: 'topology' },
      ...[60, 1].map((sync) => ({ metric: 'opsPerSecond', title: `every ${sync} s`, at: { sync } })),
    ]
    const { tables } = renderReport(resultWith({ tables: [{ title: 'T', columns }], charts: [] })).json
    expect(tables[0]?.rows.map(({ cells }) => cells)).toEqual([
      ['6.0', 'alone', 1000, 2000],
      ['6.0', 'three', 3000, 4000],
      ['8.0', 'alone', 5000, 6000],
      ['8.0', 'three', 7000, 8000],
    ])
  })

  test('draws each row in a place of its own', () => {
    const charts = [{ kind: 'bar', x: { parameter: 'topology' }, y: ['opsPerSecond'] }]
    const [chart] = renderReport(resultWith({ tables: [], charts })).charts
    const data = inLight(chart).chart.data.datasets.map((line) => line.data)
    expect(data).toEqual([1000, 2000, 5000, 6000].map((first) => [first, first + 2000]))
  })
})
