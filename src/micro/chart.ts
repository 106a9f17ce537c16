import { altText } from '../report/charts/alt-text.ts'
import { type ReportChart } from '../report/charts/charts.ts'
import { configurationOf } from '../report/charts/configuration.ts'
import { type Drawing } from '../report/charts/drawing.ts'
import { stylesFor } from '../report/charts/palette.ts'
import { type Line, type Picture, type Point } from '../report/charts/picture.ts'
import { barNumber, scaleFor } from '../report/charts/scales.ts'
import { type MeasuredTask, type MicroResult } from './results.ts'
import { type Group, groups } from './task.ts'

const heightPerBar = 38
const heightAround = 200

/** The scores of all tasks as horizontal bars, with a colour for each group. Null if nothing was measured. */
export function chartOf(result: MicroResult): ReportChart | null {
  const tasks = result.tasks.filter((task) => task.status === 'measured')
  if (tasks.length === 0) return null
  const picture = pictureOf(tasks)
  const subtitle = `Median of the iterations; whiskers from the 10th to the 90th percentile.${
    result.byTheRules ? '' : ' Shorter than the specification requires.'
  }`
  const drawing = configurationOf(picture, {
    subtitle,
    caption: captionOf(result),
    styleOf: stylesFor([picture.lines]),
  })
  return {
    file: 'megabytes-per-second.png',
    title: picture.title,
    alt: altText(picture),
    configuration: oneBarEach(drawing, picture, tasks.length),
  }
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

/** One bar per task at its full width: charts of specs reserve room for a bar of every colour. A small number of bars is vertical. */
function oneBarEach(drawing: Drawing, { lines }: Picture, bars: number): Drawing {
  const { chart } = drawing
  const datasets = chart.data.datasets.map((dataset) => ({ ...dataset, skipNull: true, barThickness: 18 }))
  return {
    ...drawing,
    height: chart.options?.indexAxis === 'y' ? heightAround + bars * heightPerBar : drawing.height,
    chart: { ...chart, data: { ...chart.data, datasets } },
    marks: lines.flatMap(({ points }, dataset) =>
      points.map(({ x, y, range }) => ({ dataset, index: x, range, text: y === null ? null : barNumber(y) })),
    ),
  }
}

function captionOf({ server, tool, environment, startedAt }: MicroResult): string {
  const { driver } = environment
  return [
    `${driver.name} driver ${driver.version}`,
    server === null ? '' : `MongoDB ${server.version}`,
    `${tool.name} ${tool.version}`,
    startedAt.slice(0, 10),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
