import { type Column } from '../../src/metrics/columns/column.ts'
import { getColumn, type BuiltInMetric, measures } from '../../src/metrics/columns/index.ts'
import { samplesNeeded } from '../../src/metrics/latency.ts'
import { renderAddresses } from './addresses.ts'
import { code, linkTo, paragraphs, prose, table } from './markdown.ts'
import { listParts, splitPages } from './parts.ts'

type ColumnPart = 'client' | 'server'

type Group = {
  readonly title: string
  /** The page that has it. */
  readonly on: ColumnPart
  readonly intro: string
  readonly holds: (column: Column) => boolean
  /** False: another page lists its columns. */
  readonly isListed?: false
}

/** A column belongs to the first group that matches. */
const groups: readonly Group[] = [
  {
    title: 'Operations',
    on: 'client',
    intro:
      'Counted and timed by the client. A row with several names stands for the mean, percentiles and other statistics of the same times; over time, only the median, p99 and maximum are known.',
    holds: ({ source, of }) => source === 'client' && (of.includes('operation') || of.includes('step')),
  },
  {
    title: 'Plans',
    on: 'client',
    intro:
      'Results of `explain` for up to five executions of an operation: the first of the phase, drawn again. They are explained on a separate connection after the timed window, on the data after the phase, and write nothing. Cells are empty for operations without a query plan (inserts, bulk writes, commands, `$out` and `$merge`) and for steps that need the replies of earlier ones. Operations that delete or change documents find fewer of them when they are explained. Keys and documents that nested pipelines examine count too. Cells are empty, with a remark, where the server does not report them: `$graphLookup`, a `$lookup` on a cluster or in a `$unionWith`, a nested `$unionWith`, or one that is not read to its end.',
    holds: ({ source }) => source === 'explain',
  },
  {
    title: 'Change streams',
    on: 'client',
    intro: 'Events of a change stream during its phase.',
    holds: ({ of }) => of.includes('stream'),
  },
  {
    title: 'Checks',
    on: 'client',
    intro:
      'Each kind of [check](checks.md) has its own metrics, listed on its page. An address begins with the name of the check: `survive.lost` for a check with the name `survive`. With several runs, counts of what is wrong show the maximum.',
    holds: ({ of }) => of.includes('check'),
    isListed: false,
  },
  {
    title: 'Faults',
    on: 'client',
    intro: 'Injected faults and what they cost. Tables of faults (`"rows": "faults"`) show them for each occurrence.',
    holds: ({ source }) => source === 'faults',
  },
  {
    title: 'Client and window',
    on: 'client',
    intro: 'How reliable the other metrics are.',
    holds: ({ source }) => source === 'client',
  },
  {
    title: 'Sizes on disk',
    on: 'server',
    intro:
      'Totals over the collections of a row, such as `storage.totalGB`, on the primary; for a sharded cluster on the primaries of all shards. Servers started by mongo-perf take a checkpoint before; other servers report the current size of their files. Existing collections of `data` are included. A view has no size: then the cell is empty.',
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
      'Reported by the server: differences of its counters over the timed window. They come from the member that takes the writes; in tables and charts of members (`"rows": "members"`), from the row\'s member. `getDiagnosticData` contains figures of the server\'s host, and needs the privilege to run it. A server samples them once a second, unless it is configured otherwise. In windows shorter than 0.1 s they are unknown, except on servers that mongo-perf starts, which sample ten times a second before and after a window.',
    holds: () => true,
  },
]

const shownPercentiles = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, 'p99.9': 0.999 }

const nameNoCommand: ReadonlySet<Column['source']> = new Set(['client', 'facts', 'faults'])

/** Columns of the same times, such as their mean and their percentiles, which share a row. */
type Family = readonly BuiltInMetric[]

const statistic = /(?:mean|min|p50|p90|p95|p99|p999|max)Ms$/i

function groupFamilies(metrics: readonly BuiltInMetric[]): readonly Family[] {
  const families = new Map<string, BuiltInMetric[]>()
  for (const metric of metrics) {
    const name = metric.replace(statistic, 'Ms')
    const family = families.get(name)
    if (family === undefined) families.set(name, [metric])
    else family.push(metric)
  }
  return [...families.values()]
}

const listScopes = ([metric]: Family): string => (metric === undefined ? '' : getColumn(metric).of.join(', '))

/** The server command of a row. Other sources are named above the table already. */
function nameCommand([metric]: Family): string {
  const source = metric === undefined ? 'client' : getColumn(metric).source
  return nameNoCommand.has(source) ? '' : code(source)
}

/** The text that most rows of a table have, so that the others stand out. */
function findUsual(texts: readonly string[]): string {
  const count = (text: string): number => texts.filter((each) => each === text).length
  return texts.toSorted((a, b) => count(b) - count(a))[0] ?? ''
}

type Usual = { readonly scopes: string; readonly command: string }

const unlessUsual = (text: string, usualText: string): string => (text === usualText ? '' : text)

/** A row of columns with one meaning. */
function createRow(family: Family, usual: Usual): readonly string[] {
  const columns = family.map(getColumn)
  const [{ title, meaning, better = '' }] = columns as [Column]
  const charts = new Set(columns.map(listCharts).filter((chart) => chart !== ''))
  return [
    family.map(code).join(', '),
    title,
    meaning,
    unlessUsual(nameCommand(family), usual.command),
    better,
    unlessUsual(listScopes(family), usual.scopes),
    [...charts].join(),
  ]
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
    'A metric has one name everywhere: in tables and charts of a report, in thresholds, on the command line.',
    listParts(columnParts),
    '## What a cell is',
    prose(
      'A cell is the median of the runs of its row, unless the meaning states otherwise. ' +
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
    'Columns with [`"show": "interval"`](spec-report.md), and error bars of charts, show how far the runs lie apart: with six or more runs as the 95 % interval of their mean (of logarithms, with Student’s t), otherwise as the range.',
    table(
      ['Group', 'Its columns'],
      groups.map(({ title }, at) => [linkTo(title), String(all.filter(({ group }) => group === groups[at]).length)]),
    ),
    renderAddresses(),
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

function renderGroup(group: Group, all: readonly Grouped[]): string {
  if (group.isListed === false) return paragraphs(`## ${group.title}`, prose(group.intro))
  const families = groupFamilies(all.flatMap(({ measure, group: at }) => (at === group ? [measure] : [])))
  const usual = { scopes: findUsual(families.map(listScopes)), command: findUsual(families.map(nameCommand)) }
  return paragraphs(
    `## ${group.title}`,
    prose(group.intro),
    `Unless the table states otherwise: scope ${usual.scopes}${usual.command === '' ? '' : `; command ${usual.command}`}.`,
    table(
      ['Name', 'Heading', 'Meaning', 'Command', 'Better', 'Scope', 'Over time'],
      families.map((family) => createRow(family, usual)),
    ),
  )
}

const columnParts = [
  {
    part: 'client',
    file: 'columns-client.md',
    title: 'Columns of the client',
    summary: 'Throughput, latency, errors; plans, change streams, faults; how busy the client was.',
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
      title: 'Columns, addresses and thresholds',
      summary: 'What a cell is, how to name a metric, and how to set a limit for it.',
    },
    ...columnParts,
  ],
  renderColumns,
)
