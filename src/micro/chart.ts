import { stylesFor } from '../report/charts/drawing/palette.ts'
import { type Line, type Picture, type Point } from '../report/charts/picture.ts'
import { chartOf, type ReportChart } from '../report/charts/report-chart.ts'
import { scaleFor } from '../report/charts/scales.ts'
import { hostText, serverText } from '../report/environment.ts'
import { type MeasuredTask, type MicroResult } from './results.ts'
import { type Group, groups } from './task.ts'

/** The scores of all tasks, with a colour for each group. Null if nothing was measured. */
export function microChart(result: MicroResult): ReportChart | null {
  const tasks = result.tasks.filter((task) => task.status === 'measured')
  if (tasks.length === 0) return null
  const picture = pictureOf(tasks)
  const rules = result.byTheRules ? '' : ' Shorter than the specification requires.'
  return chartOf(picture, stylesFor([picture.lines]), {
    file: 'megabytes-per-second.png',
    title: picture.title,
    subtitle: `On ${hostText(result.environment.host)}\n${picture.legend}.${rules}`,
    caption: captionOf(result),
  })
}

function pictureOf(tasks: readonly MeasuredTask[]): Picture {
  const lines = Object.keys(groups).map((group) => lineOf(group as Group, tasks))
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

function lineOf(group: Group, tasks: readonly MeasuredTask[]): Line {
  const points = tasks.flatMap((task, x) => (task.group === group ? [pointOf(task, x)] : []))
  return { label: groups[group], colourKey: group, keyOf: 'series', axis: 0, dots: true, points }
}

/** The 10th percentile of times is the 90th percentile of throughput. */
function pointOf({ bytes, percentiles, megabytesPerSecond }: MeasuredTask, x: number): Point {
  const throughput = (seconds: number): number => bytes / 1e6 / seconds
  return { x, y: megabytesPerSecond, range: [throughput(percentiles.p90), throughput(percentiles.p10)] }
}

function captionOf({ server, tool, environment, startedAt }: MicroResult): string {
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
