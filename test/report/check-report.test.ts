import { expect, test } from 'vitest'
import { checkReport } from '../../src/report/check-report.ts'
import { type ReportSpec, reportSpec } from '../../src/report/schema.ts'

const shape = { phases: [{ name: 'mix', operations: ['findOne', 'insertOne'] }] }
const faults = (report: unknown) => checkReport(reportSpec.parse(report) satisfies ReportSpec, shape, ['batch', 'disk'])

test('a report that names what exists has no faults', () => {
  expect(
    faults({
      tables: [
        {
          title: 'T',
          columns: [
            'wallSeconds',
            { metric: 'findOne.p99Ms' },
            { parameter: 'batch' },
            { parameter: 'disk.iops' },
            { parameter: 'label' },
            { row: 'letter' },
          ],
        },
      ],
      charts: [
        { kind: 'bar', x: { parameter: 'batch' }, y: ['opsPerSecond', 'p99Ms'] },
        { kind: 'line', x: 'second', y: ['opsPerSecond', 'cpuPercent'], series: [{ row: 'run' }] },
        { kind: 'percentiles', series: [{ row: 'operation' }] },
      ],
    }),
  ).toEqual([])
})

test.each([
  [
    { tables: [{ title: 'T', columns: ['wallSecond'] }] },
    ['tables', 0, 'columns', 0],
    'there is no measure "wallSecond"',
    'wallSeconds',
  ],
  [
    { tables: [{ title: 'T', columns: [{ metric: 'mixx.p99Ms' }] }] },
    ['tables', 0, 'columns', 0, 'metric'],
    'no measured phase or operation is called "mixx"',
    'mix.p99Ms',
  ],
  [
    { tables: [{ title: 'T', columns: [{ parameter: 'bacth' }] }] },
    ['tables', 0, 'columns', 0, 'parameter'],
    'there is no parameter "bacth"',
    'batch',
  ],
  [
    { charts: [{ kind: 'bar', x: { parameter: 'btch' }, y: ['errors'] }] },
    ['charts', 0, 'x', 'parameter'],
    'there is no parameter "btch"',
    'batch',
  ],
  [
    { charts: [{ kind: 'percentiles', series: [{ parameter: 'dsk' }] }] },
    ['charts', 0, 'series', 0, 'parameter'],
    'there is no parameter "dsk"',
    'disk',
  ],
  [
    { charts: [{ kind: 'line', x: 'second', y: ['wallSeconds'] }] },
    ['charts', 0, 'y', 0],
    '"wallSeconds" is not known for single seconds',
    null,
  ],
  [
    { charts: [{ kind: 'bar', x: { row: 'number' }, y: ['steadiness'] }] },
    ['charts', 0, 'y', 0],
    '"steadiness" is a word and cannot be drawn',
    null,
  ],
  [
    { charts: [{ kind: 'bar', x: { row: 'number' }, y: ['opsPerSecond', 'p99Ms', 'cpuPercent'] }] },
    ['charts', 0, 'y'],
    'the chart has 3 units, and room for the axes of 2',
    null,
  ],
])('%j', (report, path, reason, nearest) => {
  expect(faults(report)).toEqual([{ path, reason, nearest }])
})

test.each([
  { tables: [{ title: 'T', columns: [{ metric: 'errors', parameter: 'batch' }] }] },
  { tables: [{ title: 'T', columns: [] }] },
  { tables: [{ title: 'T', columns: ['errors'], transpose: true }] },
  { charts: [{ kind: 'pie', y: ['errors'] }] },
  { charts: [{ kind: 'bar', x: 'second', y: ['errors'] }] },
  { charts: [{ kind: 'line', x: 'second', y: [] }] },
])('the schema refuses %j', (report) => expect(reportSpec.safeParse(report).success).toBe(false))

test('every field of the report part is described for editors', async () => {
  const { z } = await import('zod')
  const undescribed: string[] = []
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    if ('properties' in node && typeof node.properties === 'object') {
      for (const [name, property] of Object.entries(node.properties ?? {})) {
        if (!('description' in (property as object))) undescribed.push(`${path}.${name}`)
      }
    }
    for (const [name, child] of Object.entries(node)) walk(child, `${path}.${name}`)
  }
  walk(z.toJSONSchema(reportSpec, { io: 'input' }), '')
  expect(undescribed).toEqual([])
})
