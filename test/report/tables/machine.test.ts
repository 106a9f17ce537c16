import { describe, expect, test } from 'vitest'
import { reportSpec } from '../../../src/metrics/report-schema.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { collectEnvironmentFacts } from '../../../src/report/prose/environment.ts'
import { renderReport } from '../../../src/report/report.ts'
import { createMeasuredTables } from '../../../src/report/tables/measured.ts'
import { type VariantResult } from '../../../src/results/schema.ts'
import { type Environment } from '../../../src/results/schema/environment.ts'
import { validateReport } from '../../../src/spec/rules/report/validate-report.ts'
import { aPhaseShape, aShape } from '../../fakes/a-shape.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const parts = ['os', 'motherboard', 'cpu', 'memory', 'disks'] as const
const block = {
  title: 'Test Machine',
  rows: 'once',
  transpose: true,
  columns: [{ value: 'Here', title: 'Part' }, ...parts.map((machine) => ({ machine }))],
}

const disks = [
  { name: 'nvme0n1', model: 'A disk', sizeMB: 512_000, rotational: false },
  { name: 'vda', model: null, sizeMB: 900, rotational: true },
  { name: 'vdb', model: null, sizeMB: 2048, rotational: null },
]

function resultOn(host: Partial<Environment['host']>, variants: readonly VariantResult[] = [fakeVariant()]) {
  const { environment } = fakeResult()
  return fakeResult({
    environment: { ...environment, host: { ...environment.host, ...host } },
    variants: [...variants],
    spec: { report: { tables: [block], charts: [] } as never },
  })
}

test('the parts of the machine stand one below the other', () => {
  const [table] = createMeasuredTables(evaluateReport(resultOn({ motherboard: 'A maker, A board', disks })))
  expect(table?.rows.map(({ cells }) => cells)).toEqual([
    ['OS', 'Linux 6.1'],
    ['Motherboard', 'A maker, A board'],
    ['CPU', 'Example CPU 2.4 GHz, 2 cores'],
    ['RAM', '7.8 GB'],
    ['Disks', 'nvme0n1: A disk, 500 GB, not rotational; vda: 900 MB, rotational; vdb: 2 GB'],
  ])
})

test('unknown parts of the machine are empty', () => {
  const [table] = createMeasuredTables(evaluateReport(resultOn({})))
  const known = ['Linux 6.1', null, 'Example CPU 2.4 GHz, 2 cores', '7.8 GB', null]
  expect(table?.rows.map(({ cells }) => cells[1])).toEqual(known)
})

const textOf = (variants: readonly VariantResult[]) => renderReport(resultOn({}, variants)).markdown
const factsOf = (variants: readonly VariantResult[]) =>
  collectEnvironmentFacts(resultOn({ disks }, variants)).map(({ name }) => name)

describe('whose machine it is', () => {
  const { server } = fakeVariant()
  const on = (startedByUs: boolean, row = 0) => fakeVariant({ row, server: server && { ...server, startedByUs } })

  test.each<[string, readonly VariantResult[], string]>([
    ['servers of our own', [on(true)], 'machine-shared'],
    ['existing servers', [on(false)], 'machine-of-client-beside-others'],
    ['both', [on(true), on(false, 1)], 'machine-of-some-servers'],
    ['no server that answered', [fakeVariant({ server: null })], 'machine-of-client'],
  ])('is shown below the table: %s', (_, variants, code) => expect(textOf(variants)).toHaveLine(code))

  test('is not shown below tables that show none', () => {
    const result = resultOn({})
    const report = { tables: [{ title: 'T', columns: ['errors'] }], charts: [] } as never
    expect(renderReport({ ...result, spec: { ...result.spec, report } }).markdown).not.toContain('shared this machine')
  })

  test('is why the environment shows disks only where servers started by mongo-perf used them', () => {
    expect(factsOf([on(true)])).toContain('Client disks')
    expect(factsOf([on(false)])).not.toContain('Client disks')
  })
})

test('a part of the machine is refused in tables of several rows', () => {
  const report = reportSpec.parse({ tables: [{ ...block, rows: 'variants' }] })
  const issues = validateReport(report, aShape(aPhaseShape('read', ['findOne'])), [])
  expect(issues).toHaveLength(parts.length)
  const reason = expect.toSay('machine-of-several-rows')
  expect(issues[0]).toMatchObject({ path: ['tables', 0, 'columns', 1, 'machine'], reason })
})
