import { expect, test } from 'vitest'
import { type ReportSpec, reportSpec } from '../../../../src/metrics/report-schema.ts'
import { validateReport } from '../../../../src/spec/rules/report/validate-report.ts'
import { aPhaseShape, aShape } from '../../../fakes/a-shape.ts'
import { type TextData } from '../../../texts/golden.ts'

/** A report, the place of its issue, the nearest name, and the code of the reason. */
type WrongReport = [object, string, string | null, string, TextData?]

const shape = aShape(aPhaseShape('mix', ['findOne', 'insertOne']))
const issues = (report: unknown) =>
  validateReport(reportSpec.parse(report) satisfies ReportSpec, shape, ['batch', 'disk'])

test('a report that names what exists has no issues', () => {
  expect(
    issues({
      tables: [
        {
          title: 'T',
          columns: [
            'wallSeconds',
            { metric: 'findOne.p99Ms', show: 'interval' },
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

/** A table of these columns, and a chart of these measures. */
const table = (...columns: readonly unknown[]) => ({ tables: [{ title: 'T', columns }] })
const chart = (kind: string, x: unknown, ...y: readonly string[]) => ({ charts: [{ kind, x, y }] })

const shown = (report: unknown) =>
  issues(report).map(({ path, nearest, reason }) => ({ path: path.join('.'), nearest, reason }))

const inColumn = 'tables.0.columns.0'
const number = { row: 'number' }

test.each<WrongReport>([
  [table('wallSecond'), inColumn, 'wallSeconds', 'spec-report-metric-unknown', { name: 'wallSecond' }],
  [
    table({ metric: 'mix.steadiness', show: 'interval' }),
    `${inColumn}.show`,
    'figure',
    'spec-report-metric-without-runs',
  ],
  [table({ metric: 'mixx.p99Ms' }), `${inColumn}.metric`, 'mix.p99Ms', 'spec-report-phase-unknown'],
  [table({ parameter: 'bacth' }), `${inColumn}.parameter`, 'batch', 'spec-report-parameter-unknown', { name: 'bacth' }],
  [
    chart('bar', { parameter: 'btch' }, 'errors'),
    'charts.0.x.parameter',
    'batch',
    'spec-report-parameter-unknown',
    { name: 'btch' },
  ],
  [
    { charts: [{ kind: 'percentiles', series: [{ parameter: 'dsk' }] }] },
    'charts.0.series.0.parameter',
    'disk',
    'spec-report-parameter-unknown',
    { name: 'dsk' },
  ],
  [
    chart('line', 'second', 'wallSeconds'),
    'charts.0.y.0',
    null,
    'spec-report-metric-without-seconds',
    { name: 'wallSeconds' },
  ],
  [chart('bar', number, 'steadiness'), 'charts.0.y.0', null, 'spec-report-metric-text'],
  [chart('bar', number, 'opsPerSecond', 'p99Ms', 'cpuPercent'), 'charts.0.y', null, 'spec-report-chart-units'],
])('%j', (report, path, nearest, code, data) =>
  expect(shown(report)).toEqual([{ path, nearest, reason: expect.toSay(code, data) }]),
)

const rich = aShape(
  aPhaseShape('mix', [], {
    operations: [{ name: 'call', steps: ['change'] }],
    streams: ['watch'],
    keepsSamples: true,
  }),
)

test('a report that computes from what exists has no issues', () => {
  const report = reportSpec.parse({
    let: {
      group: { '@cluster': { of: { '@metric': 'wallMs' }, names: ['fast', 'slow'] } },
      ratio: { '@divide': [{ '@metric': { of: 'call.change.p99Ms', at: { batch: 1 } } }, { '@metric': 'p99Ms' }] },
      twice: { '@multiply': [2, { '@var': 'ratio' }] },
      cold: { '@ratio': { of: 'call.change.p99Ms', at: { batch: 1 }, to: { batch: 10 }, noun: 'latency' } },
    },
    tables: [
      {
        title: 'T',
        where: { '@in': [{ '@param': 'batch' }, [1, 10]] },
        transpose: true,
        columns: [
          { parameter: 'disk' },
          { metric: 'watch.lagP99Ms', at: { batch: 1 } },
          {
            value: { '@cond': [{ '@eq': [{ '@var': 'group' }, 'fast'] }, 'yes', { '@literal': { '@x': 1 } }] },
            title: 'V',
          },
          { value: { '@map': { input: [1], as: 'n', in: { '@add': [{ '@var': 'n' }, 1] } } }, title: 'M' },
        ],
      },
    ],
    charts: [{ kind: 'line', x: 'operation', y: ['latencyMs', 'call.latencyMs'], where: { '@var': 'group' } }],
    analysis: [
      'It is {{ratio}}, or {{ twice }} with both.',
      '{{ not a name }}',
      { text: 'Cold', ratio: 'cold', 'cannot tell': '{{twice}}' },
    ],
    finding: { text: 'Cold', ratio: 'cold' },
  })
  expect(validateReport(report, rich, ['batch', 'disk'])).toEqual([])
})

const column = (value: unknown) => table({ value, title: 'V' })
const at = `${inColumn}.value`
const ofBatch = { metric: 'errors', at: { batch: 1 } }
const ratio = (given: object) => ({ let: { y: { '@ratio': given } } })

test.each<WrongReport>([
  [column({ '@metric': 'p99ms' }), `${at}.@metric`, 'p99Ms', 'spec-report-metric-unknown', { name: 'p99ms' }],
  [column({ '@metric': { of: 'mixx.p99Ms', at: {} } }), `${at}.@metric.of`, 'mix.p99Ms', 'spec-report-phase-unknown'],
  [column({ '@metric': { of: 'p99Ms' } }), at, null, 'spec-report-metric-shape'],
  [column({ '@metric': 'latencyMs' }), `${at}.@metric`, null, 'spec-report-metric-of-charts'],
  [column({ '@var': 'gruop' }), at, null, 'spec-report-variable-unknown', { name: 'gruop' }],
  [column({ '@int': {} }), `${at}.@int`, null, 'spec-report-drawn'],
  [column({ '@cond': [1, 2] }), at, null, 'cond-shape'],
  [column({ '@divide': [1] }), at, null, 'function-argument-count', { keyword: '@divide' }],
  [column({ '@map': { input: [], in: 1 } }), at, null, 'map-shape'],
  [column({ '@cluster': { of: 1, names: ['one'] } }), at, null, 'spec-report-cluster-shape'],
  [
    column({ '@add': [1, { $numberLong: 'x' }] }),
    `${at}.@add.1`,
    null,
    'extended-json-invalid',
    { type: '$numberLong', value: 'x' },
  ],
  [
    { let: { later: { '@var': 'last' }, last: 1 } },
    'let.later',
    null,
    'spec-report-variable-unknown',
    { name: 'last' },
  ],
  [
    { tables: [{ title: 'T', where: { '@metric': 'x' }, columns: ['errors'] }] },
    'tables.0.where.@metric',
    null,
    'spec-report-metric-unknown',
    { name: 'x' },
  ],
  [
    { let: { ratio: 1 }, analysis: 'It is {{rato}}.' },
    'analysis',
    'ratio',
    'spec-report-let-unknown',
    { name: 'rato' },
  ],
  [
    { keyTakeaways: ['', { text: 'b', ratio: 'y' }] },
    'keyTakeaways.1.ratio',
    null,
    'spec-report-let-unknown',
    { name: 'y' },
  ],
  [{ let: { y: 1 }, finding: { text: 'b', ratio: 'y' } }, 'finding.ratio', null, 'spec-report-let-no-ratio'],
  [
    ratio({ of: 'p99Mss', at: {}, to: {} }),
    'let.y.@ratio.of',
    'p99Ms',
    'spec-report-metric-unknown',
    { name: 'p99Mss' },
  ],
  [ratio({ of: 'steadiness', at: {}, to: {} }), 'let.y.@ratio.of', null, 'spec-report-ratio-without-runs'],
  [ratio({ of: 'p99Ms', at: {} }), 'let.y', null, 'spec-report-ratio-shape'],
  [column({ '@ratio': { of: 'p99Ms', at: {}, to: {} } }), at, null, 'spec-report-ratio-outside-let'],
  [{ keyTakeaways: ['a', 'b {{x}}'] }, 'keyTakeaways.1', null, 'spec-report-let-unknown', { name: 'x' }],
  [table(ofBatch, 'p99Ms'), 'tables.0.columns.1', null, 'spec-report-rows-merged'],
  [table(ofBatch, { parameter: 'batch' }), 'tables.0.columns.1', null, 'spec-report-rows-merged-in-parameter'],
  [table('latencyMs'), inColumn, null, 'spec-report-metric-of-charts'],
  [chart('line', 'operation', 'latencyMs'), 'charts.0.y.0', null, 'spec-report-latencies-not-kept'],
  [chart('line', 'operation', 'p99Ms'), 'charts.0.y.0', 'latencyMs', 'spec-report-metric-without-operations'],
])('%j', (report, path, nearest, code, data) =>
  expect(shown(report)).toEqual([{ path, nearest, reason: expect.toSay(code, data) }]),
)

test('a step is not drawn second by second', () => {
  const report = reportSpec.parse({ charts: [{ kind: 'line', x: 'second', y: ['call.change.p99Ms'] }] })
  expect(validateReport(report, rich, []).map(({ reason }) => reason)).toSay('spec-report-metric-without-seconds', {
    name: 'p99Ms',
  })
})

test.each([
  { tables: [{ title: 'T', columns: [{ metric: 'errors', parameter: 'batch' }] }] },
  { tables: [{ title: 'T', columns: [] }] },
  { tables: [{ title: 'T', columns: ['errors'], transpose: 'yes' }] },
  { tables: [{ title: 'T', columns: [{ value: 1 }] }] },
  { tables: [{ title: 'T', columns: [{ metric: 'errors', at: { batch: [1] } }] }] },
  { let: { 'Not a name': 1 } },
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
