import type { Digits } from '../metrics/format.ts'
import { type Block, type Section, createListBlocks, paragraph, tableBlock } from '../report/blocks/block.ts'
import { stylesFor } from '../report/charts/drawing/palette.ts'
import type { Line, Picture, Point } from '../report/charts/picture.ts'
import { type ReportChart, createChart } from '../report/charts/report-chart.ts'
import { scaleFor } from '../report/charts/scales.ts'
import { treeMarkdown } from '../report/markdown/render.ts'
import { hostText, plain, serverText } from '../report/prose/environment.ts'
import { type PlainColumn, type Table, plainTable, settingsTable } from '../report/tables/table.ts'
import { type MeasuredTask, type MicroResult, type MicroTaskResult, type Percent, percents } from './results.ts'
import { type Group, groups } from './task.ts'

export type MicroReport = {
  readonly markdown: string
  /** The same as blocks, below headings. */
  readonly blocks: readonly Block[]
  readonly tasks: Table
  readonly charts: readonly ReportChart[]
}

export function renderMicroReport(result: MicroResult): MicroReport {
  const chart = microChart(result)
  const charts = chart === null ? [] : [chart]
  const what =
    'Tasks of the public benchmark specification of the MongoDB drivers; those that draw and compute values are of mongo-perf. The median time of an iteration gives the score.'
  const sections: readonly Omit<Section, 'key'>[] = [
    {
      title: null,
      blocks: [...listWarnings(result), paragraph(what), tableBlock(environmentTable(result))],
    },
    {
      title: 'Tasks',
      blocks: [tableBlock(taskTable(result.tasks)), ...createListBlocks(result.tasks.flatMap(formatNote))],
    },
    ...inMemorySections(result),
    {
      title: 'Composite scores',
      blocks: [tableBlock(compositeTable(result)), ...charts.map((one): Block => ({ kind: 'chart', chart: one }))],
    },
  ]
  const title = 'Driver microbenchmarks (MB = 10⁶ bytes)'
  return {
    markdown: treeMarkdown({ title, sections }),
    blocks: sections.flatMap((section) => [paragraph(section.title ?? title, 'strong')].concat(section.blocks)),
    tasks: taskTable(result.tasks),
    charts,
  }
}

const warning = (text: string, label: string | null = null): Block => ({ kind: 'warning', label, text })

function listWarnings({ status, byTheRules, limits, data }: MicroResult): readonly Block[] {
  const { minSeconds, maxSeconds, iterations } = limits
  return [
    ...(status === 'done' ? [] : [warning(`This run was ${status === 'aborted' ? 'aborted' : 'not finished'}.`)]),
    ...(byTheRules
      ? []
      : [
          warning(
            `at least ${minSeconds} s and ${iterations} iterations per task, at most ${maxSeconds} s, instead of 60 s, 100 and 300 s. Do not compare these scores with other scores.`,
            'Not by the specification',
          ),
        ]),
    ...(data.kind === 'given'
      ? []
      : [
          warning(
            'Measured on generated data of the specified shapes and sizes; --data takes the files of the specification.',
          ),
        ]),
  ]
}

function environmentTable({ environment, server, tool }: MicroResult): Table {
  const { host, driver, node } = environment
  const cache = server?.cacheGB ? `, cache ${server.cacheGB} GB` : ''
  return settingsTable([
    { name: 'Driver', value: `${driver.name} ${driver.version}, Node.js ${node.replace(/^v/, '')}` },
    { name: 'Driver options', value: plain(driver.options) },
    { name: 'Client host', value: hostText(host) },
    ...(server === null
      ? []
      : [
          { name: 'Server', value: `${serverText(server.version)}${cache}` },
          { name: 'Started by', value: server.startedByUs ? 'mongo-perf, on the same host' : 'others' },
        ]),
    { name: 'Tool', value: `${tool.name} ${tool.version}` },
  ])
}

/** The median has its own column. */
const shownPercents = percents.filter((percent) => percent !== 50)

/** A column of which tasks that were not measured have nothing. */
const measured = (
  title: string,
  valueOf: (task: MeasuredTask) => number | null,
  digits: Digits = null,
): PlainColumn<MicroTaskResult> => ({
  title,
  digits,
  cell: (task) => (task.status === 'measured' ? valueOf(task) : null),
})

const percentile = (percent: Percent, title: string): PlainColumn<MicroTaskResult> =>
  measured(title, ({ percentiles }) => percentiles[`p${percent}`], 3)

function taskTable(tasks: readonly MicroTaskResult[]): Table {
  return plainTable(
    'Tasks',
    [
      { title: 'Task', cell: ({ title }) => title },
      measured('MB', ({ bytes }) => bytes / 1e6, 2),
      measured('Iterations', ({ seconds }) => seconds.length),
      percentile(50, 'Median s'),
      ...shownPercents.map((percent) => percentile(percent, `p${percent} s`)),
      measured('MB/s', ({ megabytesPerSecond }) => megabytesPerSecond, 2),
    ],
    tasks,
  )
}

const statisticsColumns = [
  ['Operations each', 'operations'],
  ['Mean ns', 'meanNs'],
  ['± %', 'marginPercent'],
  ['Median ns', 'p50Ns'],
  ['p75 ns', 'p75Ns'],
  ['p99 ns', 'p99Ns'],
  ['p999 ns', 'p999Ns'],
] as const

/** The statistics of tinybench on the tasks that ran in it. */
function inMemorySections({ tasks }: MicroResult): readonly Omit<Section, 'key'>[] {
  const benched = tasks.filter((task) => task.status === 'measured' && task.statistics !== null)
  if (benched.length === 0) return []
  const columns = statisticsColumns.map(([title, key]) =>
    measured(title, ({ statistics }) => statistics && statistics[key], 'significant'),
  )
  const table = plainTable('In memory', [{ title: 'Task', cell: ({ title }) => title }, ...columns], benched)
  const what =
    'Times of one operation, by tinybench, from the times of iterations; ± is half of the 95 % interval of the mean.'
  return [{ title: 'In memory', blocks: [paragraph(what), tableBlock(table)] }]
}

function formatNote(task: MicroTaskResult): readonly string[] {
  if (task.status === 'measured') return []
  const what = task.status === 'notRun' ? `not run: ${task.reason}` : `failed: ${task.error}`
  return [`${task.title}: ${what}.`]
}

const compositeTable = ({ composites }: MicroResult): Table =>
  plainTable(
    'Composite scores',
    [
      { title: 'Score', cell: ({ name }) => name },
      { title: 'MB/s', cell: (one) => (one.status === 'scored' ? one.megabytesPerSecond : 'not computed'), digits: 2 },
      { title: 'Tasks not measured', cell: (one) => (one.status === 'scored' ? null : formatNames(one.missing)) },
    ],
    composites,
  )

const namesShown = 3

function formatNames(names: readonly string[]): string {
  const more = names.length - namesShown
  return [...names.slice(0, namesShown), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** The scores of all tasks, with a colour for each group. Null if nothing was measured. */
function microChart(result: MicroResult): ReportChart | null {
  const tasks = result.tasks.filter((task) => task.status === 'measured')
  if (tasks.length === 0) return null
  const picture = createPicture(tasks)
  const rules = result.byTheRules ? '' : ' Shorter than the specification requires.'
  return createChart(picture, stylesFor([picture.lines]), {
    file: 'megabytes-per-second.png',
    title: picture.title,
    subtitle: `On ${hostText(result.environment.host)}\n${picture.legend}.${rules}`,
    caption: formatCaption(result),
  })
}

function createPicture(tasks: readonly MeasuredTask[]): Picture {
  const lines = Object.keys(groups).map((group) => createLine(group as Group, tasks))
  const ends = lines.flatMap(({ points }) => points.flatMap(({ range }) => range ?? []))
  return {
    kind: 'bar',
    title: 'Driver microbenchmarks',
    x: { kind: 'category', title: '', labels: tasks.map(({ title }) => title) },
    y: [{ title: 'MB/s (MB = 10⁶ bytes)', unit: 'MB/s', scale: scaleFor(ends) }],
    lines: lines.filter(({ points }) => points.length > 0),
    legend: 'Medians of the iterations; whiskers: 10th to 90th percentile',
  }
}

function createLine(group: Group, tasks: readonly MeasuredTask[]): Line {
  const points = tasks.flatMap((task, x) => (task.group === group ? [createPoint(task, x)] : []))
  return { label: groups[group], colourKey: group, keyOf: 'series', axis: 0, dots: true, points }
}

/** The 10th percentile of times is the 90th percentile of throughput. */
function createPoint({ bytes, percentiles, megabytesPerSecond }: MeasuredTask, x: number): Point {
  const throughput = (seconds: number): number => bytes / 1e6 / seconds
  return { x, y: megabytesPerSecond, range: [throughput(percentiles.p90), throughput(percentiles.p10)] }
}

function formatCaption({ server, tool, environment, startedAt }: MicroResult): string {
  const { driver } = environment
  return [
    `${driver.name} driver ${driver.version}`,
    server === null ? '' : serverText(server.version),
    `${tool.name} ${tool.version}`,
    startedAt.slice(0, 10),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
