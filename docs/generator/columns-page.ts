import { type Column } from '../../src/metrics/columns/column.ts'
import { getColumn, type BuiltInMetric, measures } from '../../src/metrics/columns/index.ts'
import { samplesNeeded } from '../../src/metrics/latency.ts'
import { code, linkTo, paragraphs, prose, table } from './markdown.ts'
import { listParts, splitPages } from './parts.ts'

type ColumnPart = 'operations' | 'rows' | 'server'

type Group = {
  readonly title: string
  /** The page that has it. */
  readonly on: ColumnPart
  readonly intro: string
  readonly holds: (column: Column) => boolean
}

/** A column belongs to the first group that matches. */
const groups: readonly Group[] = [
  {
    title: 'Operations',
    on: 'operations',
    intro: 'Counted and timed by the client.',
    holds: ({ source, of }) => source === 'client' && (of.includes('operation') || of.includes('step')),
  },
  {
    title: 'Plans',
    on: 'rows',
    intro:
      'Results of `explain` for up to five executions of an operation: the first of the phase, drawn again. They are explained on a separate connection after the timed window, on the data after the phase, and write nothing. Cells are empty for operations without a query plan (inserts, bulk writes, commands, `$out` and `$merge`) and for steps that need the replies of earlier ones. An operation that removes or changes documents finds fewer of them when it is explained. Keys and documents that the pipelines inside of a pipeline examine count, too. Cells are empty, with a remark, where the server does not report them: `$graphLookup`, a `$lookup` on a cluster or inside of a `$unionWith`, a `$unionWith` that another one has or that is not read to its end.',
    holds: ({ source }) => source === 'explain',
  },
  {
    title: 'Change streams',
    on: 'rows',
    intro: 'Events of a change stream during its phase.',
    holds: ({ of }) => of.includes('stream'),
  },
  {
    title: 'Checks',
    on: 'rows',
    intro:
      'Figures of the [checks](checks.md) of a row, by kind. An address begins with the name of the check: `survive.lost` for a check of the kind `acknowledgedWritesSurvive` with the name `survive`.',
    holds: ({ of }) => of.includes('check'),
  },
  {
    title: 'Faults',
    on: 'rows',
    intro:
      'Injected faults and what they cost. Available for a phase as a whole, and for each occurrence in tables of faults (`"rows": "faults"`).',
    holds: ({ source }) => source === 'faults',
  },
  {
    title: 'Client and window',
    on: 'rows',
    intro: 'How reliable the other figures are. Available for a phase as a whole.',
    holds: ({ source }) => source === 'client',
  },
  {
    title: 'Sizes on disk',
    on: 'server',
    intro:
      'Totals over the collections of a row, such as `storage.totalGB`. Available for a row as a whole. Servers started by mongo-perf take a checkpoint before; other servers report the current size of their files.',
    holds: ({ of }) => of.includes('storage'),
  },
  {
    title: 'Cores and prices',
    on: 'server',
    intro:
      'Throughput in relation to the cores of the server, from `hostInfo`, and to its price: the fact `pricePerHour` of the target, in $ per hour of the whole deployment. Empty if unknown.',
    holds: ({ source }) => source === 'hostInfo' || source === 'facts',
  },
  {
    title: 'Server',
    on: 'server',
    intro:
      'Reported by the server: differences of its counters over the timed window, for a phase as a whole. They come from the member that takes the writes; in tables and charts of members (`"rows": "members"`), from the row\'s member. `getDiagnosticData` contains figures of the server\'s host, and needs the privilege to run it. A server samples them once a second, unless it is configured otherwise. They are unknown for windows of less than a tenth of that, except on servers that mongo-perf starts, which sample ten times a second before and after a window.',
    holds: () => true,
  },
]

const shownPercentiles = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, 'p99.9': 0.999 }

const nameNoCommand: ReadonlySet<Column['source']> = new Set(['client', 'facts', 'faults'])

/** Sources other than commands are named above the table already. */
function createRow(measure: BuiltInMetric): readonly string[] {
  const column = getColumn(measure)
  const { title, unit, meaning, source, digits, better = '', of } = column
  const command = nameNoCommand.has(source) ? '' : code(source)
  return [code(measure), title, unit, meaning, command, String(digits), better, of.join(', '), listCharts(column)]
}

/** The x axis that a line chart of the column can have, besides parameters. */
const listCharts = (column: Column): string =>
  'perCall' in column
    ? code('operation')
    : 'perSecond' in column && column.perSecond !== undefined
      ? code('second')
      : ''

function renderColumns(): readonly string[] {
  const all = measures.map((measure) => ({
    measure,
    group: groups.find(({ holds }) => holds(getColumn(measure))),
  }))
  const index = paragraphs(
    'A measure has one name everywhere: in columns and charts of a report, in thresholds, on the command line. To select a phase or operation, use an [address](addresses.md).',
    '## What a cell is',
    prose(
      'The median of the runs of its row, unless the meaning states otherwise. ' +
        'Means, minimums, maximums and percentiles of times cover the samples of all runs together, from merged histograms. In results without histograms a percentile is the median of the runs. ' +
        'A cell without a measurement is empty, never 0. ' +
        'Columns of the server are from the primary; in a sharded cluster they are summed over the primaries of its shards. ' +
        '[`mongo-perf compare`](commands.md#compare) compares the metrics for which higher or lower values are better. ' +
        'KB is 1024 bytes and MB 1024 KB everywhere.',
    ),
    `A percentile is shown only if at least ${samplesNeeded(0)} samples are above it, over all runs. Otherwise the cell is empty, and a threshold on it is missed.`,
    table(
      ['Percentile', 'Samples needed'],
      Object.entries(shownPercentiles).map(([name, quantile]) => [name, String(samplesNeeded(quantile))]),
    ),
    'How far the runs lie apart is shown by columns with [`"show": "interval"`](spec.md), for any measure that each run has, and as error bars of charts. With six or more runs it is the 95 % interval of their mean (of logarithms, with Student’s t), otherwise the range.',
    listParts(columnParts),
    table(
      ['Group', 'Its columns'],
      groups.map(({ title }, at) => [linkTo(title), String(all.filter(({ group }) => group === groups[at]).length)]),
    ),
  )
  const parts = columnParts.map(({ part }) =>
    paragraphs(
      'What a cell is, and how many samples a percentile needs: [columns](columns.md).',
      ...groups.flatMap((group) => (group.on === part ? renderGroup(group, all) : [])),
    ),
  )
  return [index, ...parts]
}

type Grouped = { readonly measure: BuiltInMetric; readonly group: Group | undefined }

const renderGroup = (group: Group, all: readonly Grouped[]): string =>
  paragraphs(
    `## ${group.title}`,
    prose(group.intro),
    table(
      ['Name', 'Heading', 'Unit', 'Meaning', 'Command', 'Digits', 'Better', 'Scope', 'Over time'],
      all.filter((each) => each.group === group).map(({ measure }) => createRow(measure)),
    ),
  )

const columnParts = [
  {
    part: 'operations',
    file: 'columns-operations.md',
    title: 'Columns of operations',
    summary: 'Throughput, latency, errors.',
  },
  {
    part: 'rows',
    file: 'columns-rows.md',
    title: 'Columns of plans, streams, checks, faults and the client',
    summary: 'Explained plans, lost writes, gaps, how busy the client was.',
  },
  {
    part: 'server',
    file: 'columns-server.md',
    title: 'Columns of servers',
    summary: 'CPU, cache, disk, replication, sizes, prices.',
  },
] as const

/** `docs/columns.md` and its parts. */
export const columnPages = splitPages(
  [
    {
      file: 'columns.md',
      title: 'Columns',
      summary: 'Every measure of tables, charts and thresholds: unit, meaning, source.',
    },
    ...columnParts,
  ],
  renderColumns,
)
