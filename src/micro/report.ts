import { type ReportChart } from '../report/charts/report-chart.ts'
import { hostText, plain } from '../report/environment.ts'
import { numberText } from '../metrics/format.ts'
import { escapeText, markdownTable } from '../report/markdown-table.ts'
import { microChart } from './chart.ts'
import { percents } from './percentiles.ts'
import { type MicroResult, type MicroTaskResult } from './results.ts'

/** A rendered report of microbenchmarks. */
export type MicroReport = { readonly markdown: string; readonly charts: readonly ReportChart[] }

/** Renders the report of a result. Pure. */
export function renderMicroReport(result: MicroResult): MicroReport {
  const chart = microChart(result)
  const sections = [
    '## Driver microbenchmarks (MB = 10⁶ bytes)',
    ...warningsOf(result).map((text) => `> ${text}`),
    'Tasks of the public benchmark specification of the MongoDB drivers. The median time of an iteration gives the score.',
    environmentTable(result),
    '### Tasks',
    taskTable(result.tasks),
    result.tasks.flatMap(noteOf).join('\n'),
    '### Composite scores',
    compositeTable(result),
    chart === null ? '' : `![${escapeText(chart.alt)}](${chart.file})`,
  ]
  return {
    markdown: `${sections.filter((text) => text !== '').join('\n\n')}\n`,
    charts: chart === null ? [] : [chart],
  }
}

function warningsOf({ status, byTheRules, limits, data }: MicroResult): readonly string[] {
  const { minSeconds, maxSeconds, iterations } = limits
  return [
    ...(status === 'done' ? [] : [`**This run was ${status === 'aborted' ? 'aborted' : 'not finished'}.**`]),
    ...(byTheRules
      ? []
      : [
          `**Not by the specification:** at least ${minSeconds} s and ${iterations} iterations per task, at most ${maxSeconds} s, instead of 60 s, 100 and 300 s. Do not compare these scores with those of others.`,
        ]),
    ...(data.kind === 'given'
      ? []
      : ['Measured on generated data of the specified shapes and sizes; --data takes the files of the specification.']),
  ]
}

function environmentTable({ environment, server, tool }: MicroResult): string {
  const { host, driver, node } = environment
  const cache = server?.cacheGB ? `, cache ${server.cacheGB} GB` : ''
  const rows = [
    ['Driver', `${driver.name} ${driver.version}, Node.js ${node.replace(/^v/, '')}`],
    ['Driver options', plain(driver.options)],
    ['Client host', hostText(host)],
    ...(server === null
      ? []
      : [
          ['Server', `MongoDB ${server.version}${cache}`],
          ['Started by', server.startedByUs ? 'mongo-perf, on the same host' : 'others'],
        ]),
    ['Tool', `${tool.name} ${tool.version}`],
  ]
  return markdownTable(['Setting', 'Value'], rows)
}

/** The median has its own column. */
const shownPercents = percents.filter((percent) => percent !== 50)

function taskTable(tasks: readonly MicroTaskResult[]): string {
  const header = ['Task', 'MB', 'Iterations', 'Median s', ...shownPercents.map((percent) => `p${percent} s`), 'MB/s']
  return markdownTable(
    header,
    tasks.map((task) => {
      if (task.status !== 'measured') return [task.title, ...header.slice(1).map(() => '')]
      const { title, bytes, seconds, percentiles, megabytesPerSecond } = task
      return [
        title,
        numberText(bytes / 1e6, 2),
        String(seconds.length),
        numberText(percentiles.p50, 3),
        ...shownPercents.map((percent) => numberText(percentiles[`p${percent}`], 3)),
        numberText(megabytesPerSecond, 2),
      ]
    }),
  )
}

function noteOf(task: MicroTaskResult): readonly string[] {
  if (task.status === 'measured') return []
  const what = task.status === 'notRun' ? `not run: ${task.reason}` : `failed: ${task.error}`
  return [escapeText(`- ${task.title}: ${what}.`)]
}

function compositeTable({ composites }: MicroResult): string {
  return markdownTable(
    ['Score', 'MB/s', 'Tasks not measured'],
    composites.map((composite) =>
      composite.status === 'scored'
        ? [composite.name, numberText(composite.megabytesPerSecond, 2), '']
        : [composite.name, 'not computed', namesOf(composite.missing)],
    ),
  )
}

const namesShown = 3

function namesOf(names: readonly string[]): string {
  const more = names.length - namesShown
  return [...names.slice(0, namesShown), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
