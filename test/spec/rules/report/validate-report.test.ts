import { expect, test } from 'vitest'
import { type ReportSpec, reportSpec } from '../../../../src/metrics/report-schema.ts'
import { validateReport } from '../../../../src/spec/rules/report/validate-report.ts'
import { aPhaseShape, aShape } from '../../../fakes/a-shape.ts'

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

test.each([
  [
    { tables: [{ title: 'T', columns: ['wallSecond'] }] },
    ['tables', 0, 'columns', 0],
    'there is no metric "wallSecond"',
    'wallSeconds',
  ],
  [
    { tables: [{ title: 'T', columns: [{ metric: 'mix.steadiness', show: 'interval' }] }] },
    ['tables', 0, 'columns', 0, 'show'],
    '"steadiness" is not computed for each run',
    'figure',
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
    '"wallSeconds" has no values per second',
    null,
  ],
  [
    { charts: [{ kind: 'bar', x: { row: 'number' }, y: ['steadiness'] }] },
    ['charts', 0, 'y', 0],
    '"steadiness" is text and cannot be drawn',
    null,
  ],
  [
    { charts: [{ kind: 'bar', x: { row: 'number' }, y: ['opsPerSecond', 'p99Ms', 'cpuPercent'] }] },
    ['charts', 0, 'y'],
    'the chart has 3 units, and at most 2 are possible',
    null,
  ],
])('%j', (report, path, reason, nearest) => {
  expect(issues(report)).toEqual([{ path, reason, nearest }])
})

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

const column = (value: unknown, rest: object = {}) => ({
  tables: [{ title: 'T', columns: [{ value, title: 'V' }], ...rest }],
})
const at = ['tables', 0, 'columns', 0, 'value']

test.each<[object, readonly (string | number)[], string, string | null]>([
  [column({ '@metric': 'p99ms' }), [...at, '@metric'], 'there is no metric "p99ms"', 'p99Ms'],
  [
    column({ '@metric': { of: 'mixx.p99Ms', at: {} } }),
    [...at, '@metric', 'of'],
    'no measured phase or operation is called "mixx"',
    'mix.p99Ms',
  ],
  [
    column({ '@metric': { of: 'p99Ms' } }),
    at,
    '"@metric" takes an address, or {"of": an address, "at": values of parameters}',
    null,
  ],
  [
    column({ '@metric': 'latencyMs' }),
    [...at, '@metric'],
    '"latencyMs" has values per operation, for line charts with "x": "operation"',
    null,
  ],
  [column({ '@var': 'gruop' }, {}), at, 'there is no variable "gruop" here', null],
  [column({ '@int': {} }), [...at, '@int'], '"@int" draws values, and a report computes with measured ones', null],
  [column({ '@cond': [1, 2] }), at, '"@cond" takes a list of three: [if, then, else]', null],
  [column({ '@divide': [1] }), at, '"@divide" takes 2 arguments, not 1', null],
  [
    column({ '@map': { input: [], in: 1 } }),
    at,
    '"@map" takes {"input": a list, "as": a name, "in": an expression}',
    null,
  ],
  [
    column({ '@cluster': { of: 1, names: ['one'] } }),
    at,
    '"@cluster" takes {"of": an expression, "names": a list of at least two strings}',
    null,
  ],
  [
    column({ '@add': [1, { $numberLong: 'x' }] }),
    [...at, '@add', 1],
    'not valid Extended JSON: "$numberLong" cannot hold "x"',
    null,
  ],
  [{ let: { later: { '@var': 'last' }, last: 1 } }, ['let', 'later'], 'there is no variable "last" here', null],
  [
    { tables: [{ title: 'T', where: { '@metric': 'x' }, columns: ['errors'] }] },
    ['tables', 0, 'where', '@metric'],
    'there is no metric "x"',
    null,
  ],
  [
    { let: { ratio: 1 }, analysis: 'It is {{rato}}.' },
    ['analysis'],
    '"let" of the report has no value "rato"',
    'ratio',
  ],
  [
    { keyTakeaways: ['', { text: 'b', ratio: 'y' }] },
    ['keyTakeaways', 1, 'ratio'],
    '"let" of the report has no value "y"',
    null,
  ],
  [{ let: { y: 1 }, finding: { text: 'b', ratio: 'y' } }, ['finding', 'ratio'], '"y" of "let" is not a "@ratio"', null],
  [
    { let: { y: { '@ratio': { of: 'p99Mss', at: {}, to: {} } } } },
    ['let', 'y', '@ratio', 'of'],
    'there is no metric "p99Mss"',
    'p99Ms',
  ],
  [
    { let: { y: { '@ratio': { of: 'steadiness', at: {}, to: {} } } } },
    ['let', 'y', '@ratio', 'of'],
    '"steadiness" has no value for each run, so it has no ratio by rounds',
    null,
  ],
  [
    { let: { y: { '@ratio': { of: 'p99Ms', at: {} } } } },
    ['let', 'y'],
    '"@ratio" takes {"of": an address, "at": values of parameters, "to": those of the row to divide by, "noun": optionally a name for the metric}',
    null,
  ],
  [
    column({ '@ratio': { of: 'p99Ms', at: {}, to: {} } }),
    at,
    '"@ratio" stands in "let" of the report: read it with "@var"',
    null,
  ],
  [{ keyTakeaways: ['a', 'b {{x}}'] }, ['keyTakeaways', 1], '"let" of the report has no value "x"', null],
  [
    { tables: [{ title: 'T', columns: [{ metric: 'errors', at: { batch: 1 } }, 'p99Ms'] }] },
    ['tables', 0, 'columns', 1],
    'rows that differ only in "batch" are merged in this table: select one with "at"',
    null,
  ],
  [
    { tables: [{ title: 'T', columns: [{ metric: 'errors', at: { batch: 1 } }, { parameter: 'batch' }] }] },
    ['tables', 0, 'columns', 1],
    'rows that differ only in "batch" are merged in this table: they have no common value',
    null,
  ],
  [
    { tables: [{ title: 'T', columns: ['latencyMs'] }] },
    ['tables', 0, 'columns', 0],
    '"latencyMs" has values per operation, for line charts with "x": "operation"',
    null,
  ],
  [
    { charts: [{ kind: 'line', x: 'operation', y: ['latencyMs'] }] },
    ['charts', 0, 'y', 0],
    'no individual latencies are kept: phase "mix" needs "keepSamples": true',
    null,
  ],
  [
    { charts: [{ kind: 'line', x: 'operation', y: ['p99Ms'] }] },
    ['charts', 0, 'y', 0],
    '"p99Ms" has no values per operation',
    'latencyMs',
  ],
])('%j', (report, path, reason, nearest) => {
  expect(issues(report)).toEqual([{ path, reason, nearest }])
})

test('a step is not drawn second by second', () => {
  const report = reportSpec.parse({ charts: [{ kind: 'line', x: 'second', y: ['call.change.p99Ms'] }] })
  expect(validateReport(report, rich, []).map(({ reason }) => reason)).toEqual(['"p99Ms" has no values per second'])
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
