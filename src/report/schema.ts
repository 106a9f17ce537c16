import { z } from 'zod'
import { reportValue } from '../language/value-place.ts'

const address = z
  .string()
  .min(1)
  .describe(
    'What to show: a measure such as "p99Ms", if need be with its phase and operation in front: "mix.findOne.p99Ms".',
  )

const title = z.string().describe('Heading to print instead of the usual one.').optional()
const decimals = z.int().min(0).max(9)
const digits = z
  .union([decimals, z.strictObject({ upTo: decimals.describe('Most decimals: zeros at their end are dropped.') })])
  .describe('Decimals to print instead of the usual number of them.')
  .optional()
const chartTitle = z.string().describe('Heading of the chart, and the name of its file.').optional()

const parameter = z
  .string()
  .min(1)
  .describe('Name of a parameter, or a dotted path into one; "label" is the label of the row.')

/** What is told of rows that are members, and of no others. */
const memberParts = ['member', 'role'] as const

/** What is told of rows that are faults, and of no others. */
const faultParts = ['phase', 'fault', 'occurrence', 'faultKind', 'targets', 'primary', 'term', 'errorLabels'] as const

/** What is told of rows that are steps of a search, and of no others. */
const stepParts = ['workers'] as const

const rowPart = z
  .enum([
    'number',
    'run',
    'operation',
    ...memberParts,
    ...stepParts,
    'letter',
    'serverVersion',
    'topology',
    ...faultParts,
  ])
  .describe(
    'What to tell of the row: its number from 1, the round of its repeats, its operation, its member and the role of that ("rows": "members"), the workers of its step ("rows": "peakSteps"), a letter from A, the version and the topology of the server as it told them itself; or ("rows": "faults") the phase, the name, the number, the kind and the targets of its fault, who was primary before and after it, in which terms, and how many errors of which labels followed it.',
  )

const machinePart = z
  .enum(['os', 'motherboard', 'cpu', 'memory', 'disks'])
  .describe('What to tell of the machine that measured. Empty where the machine does not tell.')

const tableRows = z
  .enum(['variants', 'runs', 'operations', 'members', 'faults', 'peakSteps', 'once'])
  .describe(
    'One row for each row of the variants (the default; medians where runs are repeated), for each single run, for each measured operation, for each member of the target (whose server columns it shows), for each time that a fault happened (whose columns of faults it shows), for each step of a search for the best number of workers, or one row in all.',
  )

const rowValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

const at = rowValues
  .describe(
    'Read the row that has these values or labels of parameters instead: {"layout": "auto"}. Rows that differ in nothing else become one.',
  )
  .optional()

const where = reportValue
  .optional()
  .describe('Which rows are shown: an expression with `@param`, `@metric` and functions, true for those that are.')

const columnSpec = z.union([
  address,
  z.strictObject({ metric: address, title, digits, at }).describe('A measured column.'),
  z
    .strictObject({
      value: reportValue.describe('An expression, computed for each row from `@param`, `@metric` and functions.'),
      title: z.string().describe('Heading.'),
      digits: digits.describe('Decimals to print. Default: three digits that count.'),
      at,
    })
    .describe('A computed column.'),
  z.strictObject({ parameter, title, digits }).describe('The label, or else the value, of a parameter.'),
  z
    .strictObject({ fact: z.string().min(1).describe('Name of a fact of the target.'), title, digits })
    .describe('What the spec says about the target and cannot be seen, such as the instance type.'),
  z.strictObject({ row: rowPart, title, digits }).describe('Something of the row itself.'),
  z
    .strictObject({ machine: machinePart, title, digits })
    .describe(
      'A part of the machine that measured, for tables with "rows": "once". Whose machine it is, is said below the table.',
    ),
])

const dimension = z.union([
  z.strictObject({ parameter }).describe('By the values of a parameter.'),
  z.strictObject({ row: rowPart }).describe('By something of the row itself.'),
])

const tableSpec = z.strictObject({
  title: z.string().min(1).describe('Heading of the table.'),
  rows: tableRows.default('variants'),
  where,
  transpose: z
    .boolean()
    .describe('Whether columns become rows: the cells of the first column are the headings then. Default false.')
    .optional(),
  columns: z
    .array(columnSpec)
    .min(1)
    .describe(
      'Columns from left to right. A parameter that varies and that no column shows gets one in front where rows would look the same without it.',
    ),
})

const y = z
  .array(address)
  .min(1)
  .describe('What to draw. At most two different units: the second gets the axis on the right.')
const series = z
  .array(dimension)
  .describe(
    'What tells the lines or bars of one place apart. Parameters that vary and are not on the x axis are added to it.',
  )
  .optional()
const scale = z
  .enum(['linear', 'log'])
  .describe('Scale of the y axis. Default: logarithmic when the largest value is more than 50 times the smallest.')
  .optional()
const rows = tableRows
  .exclude(['once'])
  .describe('What one point stands for. Default: what x and series need.')
  .optional()

const chartSpec = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('bar').describe('One group of bars for each value of x.'),
      title: chartTitle,
      rows,
      where,
      x: dimension.describe('What the groups of bars stand for.'),
      y,
      series,
      scale,
    })
    .describe('Bars, with the range of the repeats where there are some.'),
  z
    .strictObject({
      kind: z.literal('line').describe('Lines over the seconds of the window, the single calls, or a parameter.'),
      title: chartTitle,
      rows,
      where,
      x: z
        .union([
          z.literal('second').describe('The seconds of the timed window.'),
          z.literal('operation').describe('The single calls, of a phase with "keepSamples": true; y is "latencyMs".'),
          dimension,
        ])
        .describe('What the x axis shows.'),
      y,
      series,
      scale,
    })
    .describe('Lines.'),
  z
    .strictObject({
      kind: z.literal('percentiles').describe('Latency against the share of the calls that were at least as fast.'),
      title: chartTitle,
      where,
      series,
      scale,
    })
    .describe(
      'The whole latency distribution, with the tail spread out; several charts where one would have more than eight lines.',
    ),
])

const published = z
  .strictObject({
    document: z.string().min(1).describe('Name of the document, as its file in fixtures/reference/ has it.'),
    section: z.string().min(1).describe('Title of the section. White space makes no difference, here and below.'),
    table: z.string().min(1).describe('Title of the table.'),
    column: z.string().min(1).describe('Heading of the published figures.'),
    metric: address.describe(
      'What they are compared with: a measure, if need be with its phase and operation in front.',
    ),
    rows: z
      .array(
        z.strictObject({
          parameter,
          column: z
            .string()
            .min(1)
            .describe('Heading of the cells that its label, or else its value, is looked for in.'),
        }),
      )
      .min(1)
      .describe('Which published row is that of a row: the one that all of these agree on.'),
    base: rowValues.describe('The row that all others are set in proportion to: values or labels of parameters.'),
  })
  .describe('Published figures that `--reference` puts beside the measured ones.')

const text = z.union([z.string(), z.array(z.string())])

/** The `report` part of a spec, folded: what the tables and charts show, and the prose around them. */
export const reportSpec = z.strictObject({
  let: z
    .record(z.string().regex(/^[a-z]\w*$/), reportValue)
    .describe('Values computed from what was measured, in their order; `@var` reads them, and texts by `{{name}}`.')
    .optional(),
  description: text
    .describe('Markdown printed after the description of the spec, one string or a list of lines.')
    .optional(),
  tables: z
    .array(tableSpec)
    .describe('Tables in their order. Default: the parameters that vary, throughput, latency, errors, resources.')
    .optional(),
  charts: z
    .array(chartSpec)
    .describe('Charts in their order; one of a single point is left out. Default: one that suits the rows.')
    .optional(),
  published: published.optional(),
  analysis: text
    .describe('Markdown: what the figures say, one string or a list of lines; `{{name}}` is a value of `let`.')
    .optional(),
  keyTakeaways: text.describe('Markdown: what to remember, one string or a list of lines.').optional(),
})

export type ReportSpec = z.output<typeof reportSpec>
export type TableSpec = z.output<typeof tableSpec>
export type TableRows = z.output<typeof tableRows>
export type ColumnSpec = z.output<typeof columnSpec>
export type ChartSpec = z.output<typeof chartSpec>
export type BarSpec = Extract<ChartSpec, { kind: 'bar' }>
export type LineSpec = Extract<ChartSpec, { kind: 'line' }>
export type PercentilesSpec = Extract<ChartSpec, { kind: 'percentiles' }>
export type Dimension = z.output<typeof dimension>
export type PublishedSpec = z.output<typeof published>
export type RowPart = z.output<typeof rowPart>
export type MachinePart = z.output<typeof machinePart>

export const isMemberPart = (part: RowPart): boolean => memberParts.some((known) => known === part)

export type FaultPart = (typeof faultParts)[number]

export const isFaultPart = (part: RowPart): part is FaultPart => faultParts.some((known) => known === part)
export const isStepPart = (part: RowPart): boolean => stepParts.some((known) => known === part)
