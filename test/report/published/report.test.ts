import { describe, expect, test } from 'vitest'
import { readReportSpec } from '../../../src/report/definition/report-spec.ts'
import { renderReport } from '../../../src/report/report.ts'
import { fail } from '../../fakes/fail.ts'
import { inLight } from '../../fakes/in-light.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const names = ['insert-batch-size', 'hot-document'] as const
const withReference = (name: string) => renderReport(storedResult(name), { reference: true })

const result = storedResult('insert-batch-size')
const { tables, published = fail('nothing published') } = readReportSpec(result)
const [table = fail('no table')] = tables

/** Its report with --reference, if the spec has this report part, and its rows are these. */
const renderWith = (report: object, variants = result.variants, spec: object = {}) =>
  renderReport({ ...result, variants, spec: { ...result.spec, ...spec, report: report as never } }, { reference: true })

const titlesBeside = (...parts: Parameters<typeof renderWith>) =>
  renderWith(...parts).json.tables[1]?.columns.map(({ title }) => title)

describe.each(names)('the report of %s with --reference', (name) => {
  test('is as it was agreed', async () =>
    await expect(withReference(name).markdown).toMatchFileSnapshot(
      `../../../fixtures/reports/with-reference/${name}.md`,
    ))

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
  const variants = result.variants.map((variant) => ({
    ...variant,
    parameters: { ...variant.parameters, shards: { value: 1 } },
  }))
  const shown = [{ ...table, columns: [{ parameter: 'shards' }, ...table.columns] }]
  const rendered = renderWith({ tables: shown, charts: [], published }, variants)
  expect(rendered.json.tables[0]?.columns.map(({ title }) => title)).toContain('shards')
  expect(rendered.json.tables[1]?.columns.map(({ title }) => title)).not.toContain('shards')
})

test('what rows are called there is headed without the slips of the published heading', () => {
  const shown = [{ ...table, columns: [{ parameter: 'label' }, ...table.columns.slice(1)] }]
  const rows = published.rows.map(({ column, ...row }) => ({ ...row, column: column.replace(' ', '  ') }))
  const titles = titlesBeside({ tables: shown, charts: [], published: { ...published, rows } })
  expect(titles).toContain('Published Write Batch Size')
})

test.each([
  [
    ['half', 'batch', 'also'],
    ['half', 'batch'],
  ],
  [['batch', 'half', 'also'], ['batch']],
])('of %j, columns that distinguish all rows already need no more beside them', (parameters, kept) => {
  const variants = result.variants.map((variant) => ({
    ...variant,
    parameters: { ...variant.parameters, half: { value: variant.row % 2 }, also: { value: variant.row } },
  }))
  const columns = [...parameters.map((parameter) => ({ parameter, title: parameter })), 'docsPerSecond']
  const titles = titlesBeside({ tables: [{ title: 'Performance', columns }], charts: [], published }, variants)
  expect(titles?.filter((title) => parameters.includes(title))).toEqual(kept)
})

test('a heading that means something else there is explained', () => {
  const inMegabytes = { ...published, column: 'Speed (MB/s)', metric: 'mbPerSecond' }
  const { markdown } = renderWith({ tables, charts: [], published: inMegabytes })
  expect(markdown).toContain('Under "Speed (MB/s)" it has MB of 1000 KB.')
  expect(withReference('insert-batch-size').markdown).not.toContain('Under "')
})

const titlesWith = (...columns: readonly object[]) =>
  titlesBeside({ tables: [{ ...table, columns: [{ parameter: 'batch' }, ...columns] }], charts: [], published })

test('a column that reads another row lends the measured figures no heading', () => {
  const pivoted = { metric: 'docsPerSecond', at: { documentKB: 4 }, title: 'Speed with 4 KB', digits: 5 }
  expect(titlesWith(pivoted)).toContain('Measured Speed (docs/s)')
  expect(titlesWith(pivoted, { metric: 'docsPerSecond', title: 'Pace' })).toContain('Measured Pace')
})

test('rows that are other machines stand beside those that they are compared with', () => {
  const rows = [{ parameter: 'documentKB', column: 'Write Batch Size' }]
  const titles = titlesBeside({ tables, charts: [], published: { ...published, rows } })
  expect(titles?.slice(0, 2)).toEqual(['Write Batch Size', 'Published Write Batch Size'])
})

test('a spec without published figures has the same report with and without', () =>
  expect(withReference('quickstart')).toEqual(renderReport(storedResult('quickstart'))))

test('a parameter that the tables of the spec do not show distinguishes rows there too', () => {
  const variants = ['small', 'large'].flatMap((label, choice) =>
    result.variants.map((variant) => {
      const parameters = { ...variant.parameters, server: { value: choice, label, choice } }
      return Object.assign({}, variant, { row: variant.row + 5 * choice, parameters })
    }),
  )
  const columns = [{ parameter: 'batch' }, { metric: 'docsPerSecond', title: 'Pace' }]
  const report = { tables: [{ title: 'Performance', columns }], charts: [], published }
  const [own, beside] = renderWith(report, variants, { varied: ['server', 'batch'], effective: {} }).json.tables
  expect(own?.columns.map(({ title }) => title)).toEqual(['server', 'batch', 'Pace'])
  expect(beside?.columns.map(({ title }) => title).slice(0, 3)).toEqual(['batch', 'server', 'Measured Pace'])
})
