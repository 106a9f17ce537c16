import { describe, expect, test } from 'vitest'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { resultsHtml } from '../../../src/report/html/report-html.ts'
import { renderReport, tableCsv } from '../../../src/report/report.ts'
import { createMeasuredTables } from '../../../src/report/tables/measured.ts'
import { makeReadable } from '../../../src/report/tables/readable-table.ts'
import { type Result } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeLatency, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

/** Two layouts of each of two sizes; the time shows which row a cell comes from. */
const variants = ['auto', 'split'].flatMap((layout, block) =>
  [1, 2].map((size, step) =>
    fakeVariant({
      row: block * 2 + step,
      label: `layout ${layout}, size ${size}`,
      parameters: { layout: { value: { kind: layout }, label: layout }, size: { value: size } },
      phases: [
        fakePhase({
          wallSeconds: block * 10 + size,
          warnings: layout === 'split' && size === 2 ? [{ code: 'x', message: 'In doubt', advice: '' }] : [],
        }),
      ],
    }),
  ),
)

function resultWith(table: object): Result {
  return fakeResult({
    variants,
    spec: { varied: ['layout', 'size'], report: { tables: [{ title: 'T', ...table }], charts: [] } as never },
  })
}

const tableWith = (table: object) => createMeasuredTables(evaluateReport(resultWith(table)))[0] ?? fail('no table')
const cellsOf = (table: object) => tableWith(table).rows.map(({ cells }) => cells)
const titlesOf = (table: object) => tableWith(table).columns.map(({ title }) => title)
const time = (layout: string, title?: string) => ({
  metric: 'wallSeconds',
  at: { layout },
  ...(title ? { title } : {}),
})

test('rows for which the condition is false are left out, and letters stay those of the spec', () => {
  const where = { '@eq': [{ '@param': 'size' }, 2] }
  expect(cellsOf({ where, columns: [{ row: 'letter' }, { parameter: 'layout' }, 'wallSeconds'] })).toEqual([
    ['B', 'auto', 2],
    ['D', 'split', 12],
  ])
})

const runsOf = (row: number, ...seconds: readonly number[]) =>
  seconds.map((wallSeconds, index) =>
    fakeVariant({ row, run: index + 1, label: `row ${row}`, phases: [fakePhase({ wallSeconds })] }),
  )

const remarksOf = (...runs: readonly Result['variants'][number][]) => {
  const spec = {
    report: { tables: [{ title: 'T', columns: [{ row: 'number' }, 'wallSeconds'] }], charts: [] } as never,
  }
  const tables = createMeasuredTables(evaluateReport(fakeResult({ variants: [...runs], spec })))
  return tables.map((table) => makeReadable(table).remarks)
}

test('columns in which runs of one row lie far apart are named with them, unless all is little there', () => {
  expect(remarksOf(...runsOf(0, 4, 57, 381), ...runsOf(1, 300, 310, 320))).toEqual([
    ['Runs of one row lie far apart: Time Taken (s) from 4 to 381.'],
  ])
  expect(remarksOf(...runsOf(0, 0, 2, 20), ...runsOf(1, 3000, 3010, 3020))).toEqual([[]])
  expect(remarksOf(...runsOf(0, 100, 200, 400), ...runsOf(1, 300, 310, 320))).toEqual([[]])
})

test('warnings about a phase that a table does not show are not in it', () => {
  const doubtful = fakePhase({ name: 'read', warnings: [{ code: 'x', message: 'In doubt', advice: '' }] })
  const report = {
    tables: [
      { title: 'Reads', columns: ['read.wallSeconds'] },
      { title: 'Writes', columns: ['write.wallSeconds'] },
      { title: 'Both', columns: ['read.wallSeconds', 'write.wallSeconds'] },
      { title: 'Any', columns: ['write.wallSeconds', { title: 'v', value: 1 }] },
    ],
    charts: [],
  }
  const result = fakeResult({
    variants: [fakeVariant({ phases: [doubtful, fakePhase({ name: 'write' })] })],
    spec: { report: report as never },
  })
  const notes = createMeasuredTables(evaluateReport(result)).map(
    ({ title, judged }) => `${title}: ${judged.flatMap((row) => row.notes).length}`,
  )
  expect(notes).toEqual(['Reads: 1', 'Writes: 0', 'Both: 1', 'Any: 1'])
})

describe('columns with "at"', () => {
  const columns = [{ row: 'letter' }, { parameter: 'size' }, time('auto', 'Auto'), time('split', 'Split')]

  test('merge rows that differ in nothing else', () =>
    expect(cellsOf({ columns })).toEqual([
      ['A', 1, 1, 11],
      ['B', 2, 2, 12],
    ]))

  test('compute from the row that they read', () => {
    const value = {
      '@divide': [{ '@metric': 'wallSeconds' }, { '@metric': { of: 'wallSeconds', at: { layout: 'auto' } } }],
    }
    expect(cellsOf({ columns: [{ parameter: 'size' }, { value, at: { layout: 'split' }, title: 'Ratio' }] })).toEqual([
      [1, 11],
      [2, 6],
    ])
  })

  test('show in their heading which row they read where they have no other', () =>
    expect(titlesOf({ columns: [{ parameter: 'size' }, time('auto'), time('split')] })).toEqual([
      'size',
      'layout auto: Time Taken (s)',
      'layout split: Time Taken (s)',
    ]))

  test('read rows that the condition leaves out', () => {
    const where = { '@and': [{ '@eq': [{ '@param': 'layout' }, 'auto'] }, { '@eq': [{ '@param': 'size' }, 2] }] }
    expect(cellsOf({ where, columns })).toEqual([['B', 2, 2, 12]])
  })

  test('leave a cell empty on which the rows do not agree', () => {
    const any = { value: { '@metric': 'wallSeconds' }, title: 'Any' }
    expect(cellsOf({ columns: [{ parameter: 'size' }, time('auto'), any] })).toEqual([
      [1, 1, null],
      [2, 2, null],
    ])
  })

  test('have the warnings of every row that they read', () =>
    expect(tableWith({ columns }).judged.map(({ notes }) => notes.map(({ kind }) => kind))).toEqual([[], ['x']]))

  test('read any row in a table of one', () => {
    const at = { layout: 'split', size: 2 }
    expect(cellsOf({ rows: 'once', columns: [{ parameter: 'size' }, { metric: 'wallSeconds', at }] })).toEqual([
      [1, 12],
    ])
  })
})

describe('a transposed table', () => {
  const table = {
    transpose: true,
    columns: [{ parameter: 'label', title: '' }, 'wallSeconds', { metric: 'mbPerSecond', digits: 0 }],
  }

  test('has the cells of its first column as headings', () => {
    expect(titlesOf(table)).toEqual(['', ...variants.map(({ label }) => label)])
    expect(cellsOf(table)[0]).toEqual(['Time Taken (s)', 1, 2, 11, 12])
  })

  test('prints every row with the decimals of its column', () => {
    const lines = renderReport(resultWith(table))
      .markdown.split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(-4)
    const cells = lines.map((line) => line.split(/ *\| */).slice(1, -1))
    expect(cells[0]?.at(-1)).toBe('layout split, size 2')
    expect(cells[2]).toEqual(['Time Taken (s)', '1.0', '2.0', '11.0', '12.0'])
    expect(cells[3]?.slice(0, 2)).toEqual(['Speed (MB/s)', '4'])
  })

  test('shows what MB are', () => {
    expect(renderReport(resultWith(table)).markdown).toContain('MB = 1024 KB')
    expect(renderReport(resultWith({ ...table, columns: table.columns.slice(0, 2) })).markdown).not.toContain('1024 KB')
  })

  test('has trust and notes in the last records of its CSV', () => {
    const records = tableCsv(tableWith({ ...table, columns: table.columns.slice(0, 2) }))
      .trimEnd()
      .split('\r\n')
    expect(records.slice(1)).toEqual([
      'Time Taken (s),1,2,11,12',
      'Trust,comparable,comparable,comparable,comparable',
      'Notes,,,,x',
    ])
  })
})

const value = (of: unknown) => ({ value: of, title: String(of) })

test('a computed number has three digits that count', () => {
  const columns = [
    value({ '@divide': [2, 3] }),
    value(1234.5),
    value(7),
    { value: { '@divide': [2, 3] }, title: 'd', digits: 1 },
  ]
  const { markdown } = renderReport(resultWith({ rows: 'once', columns }))
  const last = markdown.split('\n').findLast((line) => line.startsWith('|'))
  expect(last?.match(/[\d.]+/g)).toEqual(['0.667', '1235', '7', '0.7'])
})

describe('a text', () => {
  const given = {
    ratio: { '@divide': [{ '@metric': { of: 'wallSeconds', at: { label: 'layout split, size 1' } } }, 3] },
    word: { '@concat': ['a', 'b'] },
    lost: { '@metric': { of: 'foundPercent', at: { label: 'layout split, size 1' } } },
  }
  const markdownOf = (analysis: unknown) =>
    renderReport(fakeResult({ variants, spec: { report: { let: given, analysis, tables: [], charts: [] } as never } }))
      .markdown

  test('takes values of let, with the digits that count', () =>
    expect(markdownOf('It is {{ratio}}, {{ word }}.')).toContain('\nIt is 3.67, ab.\n'))
  test('shows where a value was not measured', () => expect(markdownOf(['Of {{lost}}.'])).toContain('Of not measured.'))
  test('keeps other braces', () => expect(markdownOf('`{{ a.b }}` {x}')).toContain('`{{ a.b }}` {x}'))
})

/** The table of a percentile over rows with so many samples each. */
function ofSamples(...samples: readonly number[]) {
  const rows = samples.map((ok, index) => {
    const latency = { ok: fakeLatency(Array.from({ length: ok }, () => 1)), failed: null, unknown: null }
    return fakeVariant({ row: index + 1, phases: [fakePhase({ operations: [fakeOperation({ ok, latency })] })] })
  })
  const tables = [{ title: 'T', columns: [{ row: 'number' }, 'meanMs', 'p99Ms'] }]
  return fakeResult({ variants: rows, spec: { report: { tables, charts: [] } as never } })
}

test('a cell without enough samples says so on the page, and one of the only row below the table', () => {
  expect(resultsHtml([ofSamples(999, 2000)])).toContain('<td><span class="reason">too few: 999 of 1000</span>')
  const [only = fail('no table')] = createMeasuredTables(evaluateReport(ofSamples(27)))
  expect(makeReadable(only).remarks.join(' ')).toContain('(too few: 27 of 1000)')
})
