import { describe, expect, test } from 'vitest'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { renderReport } from '../../../src/report/report.ts'
import { createServerList } from '../../../src/report/tables/servers.ts'
import { type VariantResult } from '../../../src/results/schema.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const { server } = fakeVariant()

/** A row on a server of its own: its name, and how many cores and what price it has. */
const rowOn = (row: number, name: string, cores: number, pricePerHour: number, more: object = {}): VariantResult =>
  fakeVariant({
    row,
    label: name,
    parameters: { place: { value: name }, ...more },
    facts: { pricePerHour, region: 'north' },
    server: server && { ...server, cores, startedByUs: false },
  })

const resultOf = (variants: readonly VariantResult[], report: object = {}, varied: readonly string[] = ['place']) =>
  fakeResult({
    variants: [...variants],
    spec: {
      varied: [...varied],
      effective: { variants: Object.fromEntries(varied.map((name) => [name, []])) },
      report: report as never,
    },
  })

function listOf(variants: readonly VariantResult[], varied?: readonly string[]) {
  const result = resultOf(variants, {}, varied)
  const servers = createServerList(evaluateReport(result))
  if (servers === null) return null
  const { columns, rows } = servers.table
  return { header: columns.map(({ title }) => title), lines: rows.map(({ cells }) => cells) }
}

const [small, large] = [rowOn(0, 'small', 2, 0.5), rowOn(1, 'large', 8, 2)]

describe('rows that ran on different servers', () => {
  test('are shown server by server, by what differs', () =>
    expect(listOf([large, small])).toMatchObject({
      header: ['place', 'Server host', 'pricePerHour'],
      lines: [
        ['small', '2 cores, 7.8 GB, Debian 12', '0.5'],
        ['large', '8 cores, 7.8 GB, Debian 12', '2'],
      ],
    }))

  test('are named by the parameters that chose the server, not by those that varied on it', () => {
    const onEach = [1, 10].flatMap((batch, i) => [
      rowOn(2 * i, 'small', 2, 0.5, { batch: { value: batch } }),
      rowOn(2 * i + 1, 'large', 8, 2, { batch: { value: batch } }),
    ])
    expect(listOf(onEach, ['place', 'batch'])?.lines.map(([name]) => name)).toEqual(['small', 'large'])
  })

  test('are named by their numbers where no parameter chose the server', () => {
    const moved = [small, rowOn(1, 'small', 8, 2), rowOn(2, 'small', 2, 0.5)]
    expect(listOf(moved)).toMatchObject({ header: ['Rows', 'Server host', 'pricePerHour'] })
    expect(listOf(moved)?.lines.map(([rows]) => rows)).toEqual(['1, 3', '2'])
  })

  test('leave to the one table of the report what they have in common', () => {
    const { markdown } = renderReport(resultOf([small, large], { tables: [], charts: [] }))
    expect(markdown).toMatch(/\| region +\| north +\|/)
    expect(markdown).toMatch(/\| Server +\| MongoDB 6\.0\.5, wiredTiger +\|/)
    expect(markdown).not.toContain('0.5; 2')
    expect(markdown).toMatch(/\| place +\| Server host +\| pricePerHour \|\n.*\n\| small +\| 2 cores.* 0\.5 \|/)
  })

  test('are all in a table of one row', () => {
    const columns = [{ fact: 'pricePerHour' }, { fact: 'region' }, { row: 'serverVersion' }, { row: 'number' }]
    const report = { tables: [{ title: 'Base Instance', rows: 'once', columns }], charts: [] }
    const { tables } = renderReport(resultOf([small, large], report)).json
    expect(tables[0]?.rows.map(({ cells }) => cells)).toEqual([['0.5; 2', 'north', '6.0.5', 1]])
  })
})

test('one server, or rows that did not get as far as one, need no list', () => {
  expect(listOf([small, rowOn(1, 'large', 2, 0.5)])).toBeNull()
  expect(listOf([small, fakeVariant({ row: 1, server: null, phases: [fakePhase()] })])).toBeNull()
})
