import { describe, expect, test } from 'vitest'
import { readReportSpec } from '../../../src/report/definition/report-spec.ts'
import { renderReport } from '../../../src/report/report.ts'
import { fail } from '../../fakes/fail.ts'
import { inLight } from '../../fakes/in-light.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const names = ['insert-batch-size', 'hot-document'] as const
const withReference = (name: string) => renderReport(storedResult(name), { reference: true })

describe.each(names)('the report of %s with --reference', (name) => {
  test('is as it was agreed', async () => {
    await expect(withReference(name).markdown).toMatchFileSnapshot(
      `../../../fixtures/reports/with-reference/${name}.md`,
    )
  })

  test('differs from the one without by one table and one chart', () => {
    const [plain, both] = [renderReport(storedResult(name)), withReference(name)]
    const section = both.markdown.split('### Published beside measured\n\n')[1]?.split('\n### ')[0] ?? fail('no table')
    expect(both.csv.length).toBe(plain.csv.length + 1)
    expect(both.json.tables[1]?.title).toBe('Published beside measured')
    expect(both.charts.slice(0, -1)).toEqual(plain.charts)
    expect(both.charts.at(-1)?.file).toBe('published-beside-measured.png')
    expect(plain.markdown).not.toContain('ublished')
    expect(plain.json.published).toBeNull()
    expect(section).toContain('"MongoDB Performance Tables" by John Page, version 0.9, 2025-12-09')
  })
})

test('the table has both figures and both ratios of a row', () => {
  const { csv } = withReference('insert-batch-size')
  const text = csv.find(({ name }) => name === 'published-beside-measured.csv')?.text ?? fail('no table')
  const [header, first, second] = text.split('\r\n')
  expect(header).toBe(
    'Write Batch Size,Measured Speed (docs/s),Published Speed (docs/s),Measured Ratio,Published Ratio,Measured ÷ Published,Measured Server CPU (µs/doc),Published CPU (µs/doc),CPU: Measured ÷ Published,Trust,Notes',
  )
  expect(first).toMatch(/^1,2036\.\d+,6063,1,1,,\d+/)
  expect(second).toMatch(/^10,8878\.\d+,21583,4\.36\d+,3\.5597\d+,1\.22\d+,\d+/)
})

test('the chart has a point for each row, with the range of the repeats at its measured ratio, nothing around the base row, and none that does not compare', () => {
  const chart = withReference('insert-batch-size').charts.at(-1) ?? fail('no chart')
  expect(chart.alt).toContain('Write Batch Size: 10 3.56 → 4.36')
  const points = chart.picture.lines.flatMap((line) => line.points)
  const rangeOf = (name: string) => points.find((point) => point.name === name)?.range?.map((value) => value.toFixed(2))
  expect(points).toHaveLength(3)
  expect(rangeOf('Write Batch Size: 10')).toEqual(['4.29', '4.69'])
  expect(rangeOf('Write Batch Size: 1')).toBeUndefined()
})

test('the chart marks where both ratios are equal, and groups rows by how near they are', () => {
  const { picture } = withReference('hot-document').charts.at(-1) ?? fail('no chart')
  expect(picture.guide).toEqual({ kind: 'equality', band: [0.8, 1.25] })
  const grouped = picture.lines.flatMap(({ label, points }) =>
    points.map(({ x, y }) => ({ label, distance: Math.max((y ?? 0) / x, x / (y ?? 0)) })),
  )
  const expected = grouped.map(({ label, distance }) => {
    const group = distance <= 1.25 ? 'within 25 %' : 'further off'
    return { label: label === 'base row' ? label : group, distance }
  })
  expect(grouped).toEqual(expected)
  expect(new Set(grouped.map(({ label }) => label)).size).toBe(3)
  const { scales } = inLight(withReference('hot-document').charts.at(-1)).chart.options ?? {}
  expect([scales?.['x']?.min, scales?.['x']?.max]).toEqual([scales?.['y']?.min, scales?.['y']?.max])
})

test('what is the same in all rows distinguishes none of them', () => {
  const result = storedResult('insert-batch-size')
  const { tables, published = fail('nothing published') } = readReportSpec(result)
  const [table = fail('no table')] = tables
  const variants = result.variants.map((variant) => ({
    ...variant,
    parameters: { ...variant.parameters, shards: { value: 1 } },
  }))
  const shown = [{ ...table, columns: [{ parameter: 'shards' }, ...table.columns] }]
  const report = { tables: shown, charts: [], published } as never
  const rendered = renderReport({ ...result, variants, spec: { ...result.spec, report } }, { reference: true })
  expect(rendered.json.tables[0]?.columns.map(({ title }) => title)).toContain('shards')
  expect(rendered.json.tables[1]?.columns.map(({ title }) => title)).not.toContain('shards')
})

test('what rows are called there is headed without the slips of the published heading', () => {
  const result = storedResult('insert-batch-size')
  const { tables, published = fail('nothing published') } = readReportSpec(result)
  const [table = fail('no table')] = tables
  const shown = [{ ...table, columns: [{ parameter: 'label' }, ...table.columns.slice(1)] }]
  const rows = published.rows.map(({ column, ...row }) => ({ ...row, column: column.replace(' ', '  ') }))
  const report = { tables: shown, charts: [], published: { ...published, rows } } as never
  const rendered = renderReport({ ...result, spec: { ...result.spec, report } }, { reference: true })
  expect(rendered.json.tables[1]?.columns.map(({ title }) => title)).toContain('Published Write Batch Size')
})

test.each([
  [
    ['half', 'batch', 'also'],
    ['half', 'batch'],
  ],
  [['batch', 'half', 'also'], ['batch']],
])('of %j, columns that distinguish all rows already need no more beside them', (parameters, kept) => {
  const result = storedResult('insert-batch-size')
  const { published = fail('nothing published') } = readReportSpec(result)
  const variants = result.variants.map((variant) => ({
    ...variant,
    parameters: { ...variant.parameters, half: { value: variant.row % 2 }, also: { value: variant.row } },
  }))
  const columns = [...parameters.map((parameter) => ({ parameter, title: parameter })), 'docsPerSecond']
  const report = { tables: [{ title: 'Performance', columns }], charts: [], published } as never
  const { json } = renderReport({ ...result, variants, spec: { ...result.spec, report } }, { reference: true })
  const titles = json.tables[1]?.columns.map(({ title }) => title) ?? fail('no table')
  expect(titles.filter((title) => parameters.includes(title))).toEqual(kept)
})

test('a heading that means something else there is explained', () => {
  const result = storedResult('insert-batch-size')
  const { tables, published = fail('nothing published') } = readReportSpec(result)
  const inMegabytes = { ...published, column: 'Speed (MB/s)', metric: 'mbPerSecond' }
  const report = { tables, charts: [], published: inMegabytes } as never
  const { markdown } = renderReport({ ...result, spec: { ...result.spec, report } }, { reference: true })
  expect(markdown).toContain('Under "Speed (MB/s)" it has MB of 1000 KB.')
  expect(withReference('insert-batch-size').markdown).not.toContain('Under "')
})

test('a column that reads another row lends the measured figures no heading', () => {
  const result = storedResult('insert-batch-size')
  const { tables, published = fail('nothing published') } = readReportSpec(result)
  const [table = fail('no table')] = tables
  const titlesWith = (...columns: readonly object[]) => {
    const report = { tables: [{ ...table, columns: [{ parameter: 'batch' }, ...columns] }], charts: [], published }
    const spec = { ...result.spec, report: report as never }
    return renderReport({ ...result, spec }, { reference: true }).json.tables[1]?.columns.map(({ title }) => title)
  }
  const pivoted = { metric: 'docsPerSecond', at: { documentKB: 4 }, title: 'Speed with 4 KB', digits: 5 }
  expect(titlesWith(pivoted)).toContain('Measured Speed (docs/s)')
  expect(titlesWith(pivoted, { metric: 'docsPerSecond', title: 'Pace' })).toContain('Measured Pace')
})

test('rows that are other machines stand beside those that they are compared with', () => {
  const result = storedResult('insert-batch-size')
  const { tables, published = fail('nothing published') } = readReportSpec(result)
  const rows = [{ parameter: 'documentKB', column: 'Write Batch Size' }]
  const report = { tables, charts: [], published: { ...published, rows } } as never
  const renamed = { ...result, spec: { ...result.spec, report } }
  const titles = renderReport(renamed, { reference: true }).json.tables[1]?.columns.map(({ title }) => title)
  expect(titles?.slice(0, 2)).toEqual(['Write Batch Size', 'Published Write Batch Size'])
})

test('a spec without published figures has the same report with and without', () => {
  expect(withReference('quickstart')).toEqual(renderReport(storedResult('quickstart')))
})

test('a parameter that the tables of the spec do not show distinguishes rows there too', () => {
  const result = storedResult('insert-batch-size')
  const { published = fail('nothing published') } = readReportSpec(result)
  const variants = ['small', 'large'].flatMap((label, choice) =>
    result.variants.map((variant) => ({
      ...variant,
      row: variant.row + 5 * choice,
      parameters: { ...variant.parameters, server: { value: choice, label, choice } },
    })),
  )
  const columns = [{ parameter: 'batch' }, { metric: 'docsPerSecond', title: 'Pace' }]
  const report = { tables: [{ title: 'Performance', columns }], charts: [], published } as never
  const spec = { ...result.spec, varied: ['server', 'batch'], report, effective: {} }
  const [own, beside] = renderReport({ ...result, variants, spec }, { reference: true }).json.tables
  expect(own?.columns.map(({ title }) => title)).toEqual(['server', 'batch', 'Pace'])
  expect(beside?.columns.map(({ title }) => title).slice(0, 3)).toEqual(['batch', 'server', 'Measured Pace'])
})
