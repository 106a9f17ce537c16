import { z } from 'zod'
import { reportValue } from '../language/value-schema.ts'
import { faultParts, memberParts } from './rows/row-parts.ts'
import { type VerdictName } from './text-names.ts'

const address = z
  .string()
  .min(1)
  .meta({ format: 'address' })
  .describe(
    'The metric to show, such as "p99Ms", with its phase and operation if needed: "mix.findOne.p99Ms". "mix@found.p99Ms": the answer of a search.',
  )

const title = z.string().describe('Heading. Default: the heading of the metric or parameter.').optional()
const decimals = z.int().min(0).max(9)
const digits = z
  .union([
    decimals,
    z.strictObject({ upTo: decimals.describe('Maximum number of decimals: trailing zeros are dropped.') }),
  ])
  .describe('Number of decimals. Default: as the metric has it.')
  .optional()
const chartTitle = z.string().describe('Heading of the chart, from which its file name is made.').optional()

const parameter = z
  .string()
  .min(1)
  .describe('Name of a parameter, or a dotted path into one; "label" is the label of the variant.')

const rowPart = z
  .enum(['number', 'run', 'operation', ...memberParts, 'window', 'letter', 'serverVersion', 'topology', ...faultParts])
  .describe(
    'The part of the row to show: its number from 1, run, operation, member and role of the member ("rows": "members"), its window ("rows": "windows"): workers or rate of a step, "with" or "without", a letter from A, version and topology that the server reports; or ("rows": "faults") phase, name, number, kind and targets of its fault, the primaries before and after it, their terms, and the number of errors by label.',
  )

const machinePart = z
  .enum(['os', 'motherboard', 'cpu', 'memory', 'disks'])
  .describe('The part of the client machine to show. Empty if unknown.')

const rowKinds = ['variants', 'runs', 'operations', 'members', 'faults', 'windows', 'once'] as const

const tableRows = z
  .enum(rowKinds)
  .describe(
    'What a row of the table is: a variant (the default; several runs together), run, measured operation, member of the target (with its server columns), occurrence of a fault (with its columns), or window of a phase that has several (steps of a search; with and without a load); "once" is a single row.',
  )

const rowValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

const at = rowValues
  .describe(
    'Shows the row with these values or labels of parameters instead: {"layout": "auto"}. Rows that differ in nothing else are merged.',
  )
  .optional()

const where = reportValue
  .optional()
  .describe('A condition for the rows to show: an expression with `@param`, `@metric` and functions.')

const columnSpec = z
  .union([
    address,
    z
      .strictObject({
        metric: address,
        show: z
          .enum(['figure', 'interval'])
          .describe(
            'The figure of the runs (the default), or how far they lie apart: with six or more runs the 95 % interval of their mean (of logarithms, Student’s t), "5281 to 5491 (95 %)", otherwise "5228 to 5491 (min, max)".',
          )
          .optional(),
        title,
        digits,
        at,
      })
      .meta({ title: 'MetricColumn' })
      .describe('A measured column.'),
    z
      .strictObject({
        value: reportValue.describe('An expression with `@param`, `@metric` and functions, evaluated for each row.'),
        title: z.string().describe('Heading.'),
        digits: digits.describe('Number of decimals. Default: three significant digits.'),
        at,
      })
      .meta({ title: 'ValueColumn' })
      .describe('A computed column.'),
    z
      .strictObject({ parameter, title, digits })
      .meta({ title: 'ParameterColumn' })
      .describe('The label of a parameter, else its value.'),
    z
      .strictObject({ fact: z.string().min(1).describe('Name of a fact of the target.'), title, digits })
      .meta({ title: 'FactColumn' })
      .describe('A fact that the spec states about the target, such as the instance type.'),
    z.strictObject({ row: rowPart, title, digits }).meta({ title: 'RowColumn' }).describe('A part of the row itself.'),
    z
      .strictObject({ machine: machinePart, title, digits })
      .meta({ title: 'MachineColumn' })
      .describe('A part of the client machine, for tables with "rows": "once". A remark says whose machine it is.'),
  ])
  .meta({ title: 'Column' })

const dimensionTitle = z
  .string()
  .describe('What the axis or the legend calls it. Default: the heading of its column, else its name.')
  .optional()

/** Creates the schema of what an axis or a series distinguishes. Items of lists, such as series, have a type of their own: they may have a `when`. */
const createDimensionSchema = (place: 'Axis' | 'Series') =>
  z
    .union([
      z
        .strictObject({ parameter, title: dimensionTitle })
        .meta({ title: `Parameter${place}` })
        .describe('The values of a parameter.'),
      z
        .strictObject({ row: rowPart, title: dimensionTitle })
        .meta({ title: `Row${place}` })
        .describe('A part of the row itself.'),
    ])
    .meta({ title: place })

const axis = createDimensionSchema('Axis')

const baseOfRatios = 'The base row of the ratios: values or labels of parameters.'

const comparison = z
  .strictObject({
    to: rowValues.describe(baseOfRatios),
    of: address.optional(),
  })
  .meta({ title: 'TableComparison' })

const tableSpec = z
  .strictObject({
    title: z.string().min(1).describe('Heading of the table.'),
    rows: tableRows.default('variants'),
    where,
    transpose: z
      .boolean()
      .describe('Whether columns become rows: the cells of the first column become the headings. Default false.')
      .optional(),
    fold: z.boolean().describe('Whether readers have to unfold the table to see it. Default false.').optional(),
    columns: z
      .array(columnSpec)
      .min(1)
      .describe(
        'Columns from left to right. A varying parameter without a column gets one in front if rows would otherwise look the same.',
      ),
    compare: comparison
      .describe('Adds the ratio of each row to a base row with its 95 % interval, by the first metric or "of".')
      .optional(),
  })
  .meta({ title: 'Table' })

const y = z
  .array(address)
  .min(1)
  .describe('The metrics to draw, with at most two different units: the second has the axis on the right.')
const series = z
  .array(createDimensionSchema('Series'))
  .describe('What distinguishes the lines or bars. Other varying parameters are added.')
  .optional()
const scale = z
  .enum(['linear', 'log'])
  .describe('Scale of the y axis. Default: logarithmic if the largest value is over 50 times the smallest.')
  .optional()
const rows = tableRows
  .exclude(['once'])
  .describe('What one point stands for. Default: determined by x and series.')
  .optional()

const chartSpec = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('bar').describe('One group of bars for each value of x.'),
        title: chartTitle,
        rows,
        where,
        x: axis.describe('What the groups of bars stand for.'),
        y,
        series,
        scale,
      })
      .meta({ title: 'BarChart' })
      .describe('Bars, with error bars over repeats: 95 % intervals (six or more runs), otherwise the range.'),
    z
      .strictObject({
        kind: z
          .literal('line')
          .describe('Lines over the seconds of the window, the individual operations, or a parameter.'),
        title: chartTitle,
        rows,
        where,
        x: z
          .union([
            z.literal('second').describe('The seconds of the timed window.'),
            z
              .literal('operation')
              .describe('The individual operations of a phase with "keepSamples": true; y is "latencyMs".'),
            axis,
          ])
          .describe('What the x axis shows.'),
        y,
        series,
        scale,
      })
      .meta({ title: 'LineChart' })
      .describe('Lines.'),
    z
      .strictObject({
        kind: z.literal('saturation').describe('Latency against throughput.'),
        title: chartTitle,
        rows,
        where,
        along: axis.describe(
          'What differs from point to point: {"row": "window"} for the steps of a search, or a parameter such as the offered rate. Points are joined in this order.',
        ),
        x: address.describe('The throughput, such as "load.opsPerSecond".'),
        y: z.array(address).min(1).describe('The latencies, such as "load.p99Ms", of one unit.'),
        series,
        scale,
      })
      .meta({ title: 'SaturationChart' })
      .describe('Latency against throughput. A ring marks the knee, where throughput divided by latency is highest.'),
    z
      .strictObject({
        kind: z.literal('percentiles').describe('Latency by percentile.'),
        title: chartTitle,
        where,
        series,
        scale,
      })
      .meta({ title: 'PercentilesChart' })
      .describe(
        'The latency distribution, with the high percentiles drawn larger. More than eight lines become several charts.',
      ),
  ])
  .meta({ title: 'Chart' })

const published = z
  .strictObject({
    document: z.string().min(1).describe('Name of the document: the name of its file in fixtures/reference/.'),
    section: z.string().min(1).describe('Title of the section. White space is ignored, here and below.'),
    table: z.string().min(1).describe('Title of the table.'),
    column: z.string().min(1).describe('Heading of the published figures.'),
    metric: address.describe('The metric to compare them with.'),
    rows: z
      .array(
        z
          .strictObject({
            parameter,
            column: z.string().min(1).describe('Heading of the column with its label or value.'),
          })
          .meta({ title: 'PublishedRow' }),
      )
      .min(1)
      .describe('How to find the published row of a row: all of these must match.'),
    beside: z
      .array(
        z
          .strictObject({
            section: z.string().min(1).optional().describe('Title of the section. Default: as the figures have it.'),
            table: z.string().min(1).optional().describe('Title of the table. Default: as the figures have it.'),
            column: z.string().min(1).describe('Heading of the published column.'),
            metric: address.describe('The metric to show.'),
          })
          .meta({ title: 'PublishedBeside' }),
      )
      .optional()
      .describe('Further published columns, also of text, beside measured ones, without ratios.'),
    base: rowValues.describe(baseOfRatios),
    mislabelled: z
      .array(rowValues)
      .optional()
      .describe('Rows whose published figures are not what their labels say: shown without a ratio, and not counted.'),
  })
  .meta({ title: 'PublishedFigures' })
  .describe('Published figures to compare with: `--reference`.')

const text = z.union([z.string(), z.array(z.string())])

const ratioName = z.string().min(1).describe('Name of a value of `let` that is a `@ratio`.')

const afterVerdict = (when: string) => z.string().describe(`What follows from it, if ${when}.`).optional()

const ratioLine = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .describe('What is compared. A colon and the ratio follow, with its interval or the reason why there is none.'),
    ratio: ratioName,
    higher: afterVerdict('the ratio is above 1'),
    lower: afterVerdict('the ratio is below 1'),
    same: afterVerdict('the two are the same within 2 %'),
    'cannot tell': afterVerdict('no difference could be measured'),
    'no verdict': afterVerdict('there were too few rounds'),
  } satisfies Record<VerdictName, unknown> & Record<string, unknown>)
  .meta({ title: 'RatioLine' })
  .describe('States a ratio, then the text for its verdict, so it cannot overclaim.')

const ratioText = z.union([z.string(), z.array(z.union([z.string(), ratioLine]))])

/** The `report` part of a spec, folded: what the tables and charts show, and the prose around them. */
export const reportSpec = z
  .strictObject({
    let: z
      .record(z.string().regex(/^[a-z]\w*$/), reportValue)
      .describe('Values from measured figures, in order, for `@var` and `{{name}}`; `@cond` may choose them all.')
      .optional(),
    description: text.describe('Markdown after the description of the spec, a string or a list of lines.').optional(),
    tables: z
      .array(tableSpec)
      .describe('Tables, in order. Default: the varying parameters, throughput, latency, errors, resources.')
      .optional(),
    charts: z
      .array(chartSpec)
      .describe('Charts, in order; a chart with a single point is left out. Default: one that fits the rows.')
      .optional(),
    published: published.optional(),
    analysis: ratioText
      .describe('Markdown: what the figures mean, a string or a list of lines; `{{name}}` is a value of `let`.')
      .optional(),
    keyTakeaways: ratioText.describe('Markdown: what to remember, a string or a list of lines.').optional(),
    finding: z
      .strictObject({
        text: z
          .string()
          .min(1)
          .describe('What is compared, in one line: "One document read from disk instead of the cache".'),
        ratio: ratioName,
      })
      .meta({ title: 'Finding' })
      .describe('The finding of the spec: a line in the table `@findings` at the beginning of a document.')
      .optional(),
  })
  .meta({ title: 'ReportSpec' })

/** A line of a text: Markdown, or a ratio and what follows from it. */
export type TextLine = string | z.output<typeof ratioLine>
export type ReportSpec = z.output<typeof reportSpec>
export type TableSpec = z.output<typeof tableSpec>
export type TableRows = (typeof rowKinds)[number]
export type ColumnSpec = z.output<typeof columnSpec>
export type ChartSpec = z.output<typeof chartSpec>
export type BarSpec = Extract<ChartSpec, { kind: 'bar' }>
export type LineSpec = Extract<ChartSpec, { kind: 'line' }>
/** A chart of latency against throughput. */
export type SaturationSpec = Extract<ChartSpec, { kind: 'saturation' }>
export type PercentilesSpec = Extract<ChartSpec, { kind: 'percentiles' }>
/** Dimension that an x axis or a series distinguishes. */
export type Dimension = z.output<typeof axis>
export type PublishedSpec = z.output<typeof published>
/** A part of a row that a column can show. */
export type RowPart = z.output<typeof rowPart>
/** A part of the client machine that a column can show. */
export type MachinePart = z.output<typeof machinePart>

/** A report part with its default tables and charts. */
export type FullReportSpec = Omit<ReportSpec, 'tables' | 'charts'> & {
  readonly tables: readonly TableSpec[]
  readonly charts: readonly ChartSpec[]
}
