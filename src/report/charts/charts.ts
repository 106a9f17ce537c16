import { groupDigits } from '../../core/quantities.ts'
import { type Course } from '../../metrics/columns/column.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { type ChartSpec, type Dimension, type LineSpec } from '../../metrics/report-schema.ts'
import { type Row, listScopes } from '../../metrics/rows/rows.ts'
import { groupBy, sum } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { fileNames } from '../formats/file-names.ts'
import { formatChartCaption, machineText } from '../prose/environment.ts'
import { computeFinding } from '../prose/finding.ts'
import { readChart, seriesText } from './dimensions.ts'
import { stylesFor } from './drawing/palette.ts'
import { comparedLines, isCompared } from './explanation.ts'
import { coursesFinding, formatHeadline } from './headline.ts'
import { rowsPicture } from './over-rows.ts'
import { isThinned, perSecondPicture, pixelColumns, thinOut, typicalRun } from './per-second.ts'
import { percentilesPictures } from './percentiles.ts'
import { type Line, type Picture, valuesOn, type YAxis } from './picture.ts'
import { createChart, type ReportChart } from './report-chart.ts'
import { saturationPicture, searchPictures } from './saturation.ts'
import { logRange } from './scales.ts'
import { createMeasureLine, type Measured, resolveMeasures, measuredTitle, yAxes } from './y-axes.ts'

/**
 * Charts of a report as plain data. Charts without points, or with a single one, are left out.
 * @param more Additional pictures, after those of the spec.
 */
export function createCharts(evaluation: Evaluation, more: readonly Picture[] = []): readonly ReportChart[] {
  const { result, spec } = evaluation
  const asked = spec.charts.flatMap((chart) => createPictures(evaluation, chart))
  const pictures = shareRanges([...searchPictures(result), ...asked, ...more].filter(showsSomething).map(boundPicture))
  const files = fileNames(
    pictures.map(({ title }) => title),
    'png',
  )
  const styleOf = stylesFor(pictures.map(({ lines }) => lines))
  const stated = computeFinding(evaluation)
  const main = stated === null ? undefined : pictures.find(({ measures = [] }) => measures.includes(stated.measure))
  return pictures.map((picture, index) => {
    const title =
      stated !== null && picture === main ? `${plain(stated.text)}: ${stated.ratio}` : formatHeadline(picture)
    return createChart(picture, styleOf, {
      file: files[index] ?? `chart-${index + 1}.png`,
      title,
      subtitle: formatSubtitle(picture, title, result),
      caption: joined(picture.remark, formatChartCaption(result)),
    })
  })
}

/** Text without the backticks of Markdown. */
const plain = (text: string): string => text.replaceAll('`', '')

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ')

/** Formats what was measured and where, and what points and whiskers are. */
function formatSubtitle({ y, legend }: Picture, title: string, result: Result): string {
  const measures = y.map((axis) => axis.title).join(' and ')
  const what = joined(title.includes(measures) ? '' : measures, result.spec.title, machineText(result))
  return [what, legend ?? ''].filter((line) => line !== '').join('\n')
}

function createPictures(evaluation: Evaluation, chart: ChartSpec): readonly Picture[] {
  switch (chart.kind) {
    case 'bar':
      return [rowsPicture(evaluation, chart)]
    case 'line':
      return [linePicture(evaluation, chart)]
    case 'saturation':
      return [saturationPicture(evaluation, chart)]
    case 'percentiles':
      return percentilesPictures(evaluation, chart)
  }
}

function linePicture(evaluation: Evaluation, chart: LineSpec): Picture {
  if (chart.x === 'second') return perSecondPicture(evaluation, chart)
  return isOverRows(chart) ? rowsPicture(evaluation, chart) : perCallPicture(evaluation, chart)
}

const isOverRows = (chart: LineSpec): chart is LineSpec & { readonly x: Dimension } => typeof chart.x === 'object'

/** Tables show single numbers better. A time line needs several points of one line. */
function showsSomething({ lines }: Picture): boolean {
  const places = lines.map(({ dots, points }) => {
    const known = new Set(points.flatMap(({ x, y }) => (y === null ? [] : [x]))).size
    return { dots, known }
  })
  return sum(places.map(({ known }) => known)) > 1 && places.some(({ dots, known }) => dots || known > 1)
}

/** More lines cannot be distinguished. Their legend, and more bars, make an image so tall that drawing it takes many seconds. */
const maxLines = 60
const maxBars = 300

/** A picture with as many of its lines and categories as can be read. */
function boundPicture(picture: Picture): Picture {
  const { x, remark } = picture
  const all = { lines: picture.lines, labels: x.kind === 'category' ? x.labels : [] }
  const lines = all.lines.slice(0, maxLines)
  const places = x.kind === 'category' ? Math.floor(maxBars / lines.length) : Infinity
  const labels = all.labels.slice(0, places)
  if (lines.length === all.lines.length && labels.length === all.labels.length) return picture
  const categories = x.kind === 'category' ? ` and ${labels.length} of ${all.labels.length} categories` : ''
  return {
    ...picture,
    ...(x.kind === 'category' && { x: { ...x, labels } }),
    lines: lines.map((line) => firstPlaces(line, places)),
    remark: joined(`Only the first ${lines.length} of ${all.lines.length} lines${categories}`, remark),
  }
}

const firstPlaces = (line: Line, places: number): Line => ({
  ...line,
  points: line.points.filter(({ x }) => x < places),
})

const createAxisKey = ({ title, unit }: YAxis): string => JSON.stringify([title, unit])

/** Gives the logarithmic axes of one measure the same range in all charts of a report. */
function shareRanges(pictures: readonly Picture[]): readonly Picture[] {
  const drawn = pictures.flatMap((picture) =>
    picture.y.flatMap((axis, index) =>
      axis.scale === 'logarithmic'
        ? valuesOn(picture, index).map((value) => ({ key: createAxisKey(axis), value }))
        : [],
    ),
  )
  const ranges = new Map(
    [...groupBy(drawn, ({ key }) => key)].map(([key, of]) => [key, logRange(of.map(({ value }) => value))]),
  )
  const shared = (axis: YAxis): YAxis => {
    const range = axis.scale === 'logarithmic' ? ranges.get(createAxisKey(axis)) : undefined
    return range === undefined || axis.range !== undefined ? axis : { ...axis, range }
  }
  return pictures.map((picture) => ({ ...picture, y: picture.y.map(shared) }))
}

/** A line chart of individual operations in order. It shows what a median hides, such as slow first operations and stalls. */
function perCallPicture(evaluation: Evaluation, chart: LineSpec): Picture {
  const { kind, rows, series } = readChart(evaluation, chart)
  const measured = resolveMeasures(chart.y, evaluation, kind)
  const courses = measured.flatMap((one) =>
    [...groupBy(rows.map(typicalRun), (row) => seriesText(evaluation.spec, row, series))].flatMap(([text, members]) =>
      members.flatMap((row) => {
        const course = findPerCallCourse(row, one)
        return course === null ? [] : [{ one, text, course, isCompared: isCompared(row, one.address) }]
      }),
    ),
  )
  const end = Math.max(1, ...courses.map(({ course }) => course.points.at(-1)?.x ?? 0))
  const lines: readonly Line[] = courses.map(({ one, text, course }) =>
    createMeasureLine(one, measured, text, {
      dots: false,
      points: thinOut(course.points, end + 1).map(({ x, y }) => ({ x, y, range: null })),
    }),
  )
  const y = yAxes(measured, lines, chart.scale)
  return {
    kind: 'line',
    title: chart.title ?? `${measuredTitle(measured)} of single operations`,
    finding: coursesFinding({ y, lines: comparedLines(lines, courses) }),
    x: { kind: 'linear', title: 'Operation', ticks: null, end },
    y,
    lines,
    legend: 'Line: single operations in the order of execution',
    remark: remarkOn(courses.map(({ course }) => course)),
  }
}

function findPerCallCourse(row: Row, { address }: Measured): Course | null {
  const { column } = address
  const [scope] = listScopes(row, address)
  return scope === undefined || !('perCall' in column) ? null : column.perCall(scope)
}

/** A remark on the points that the line leaves out. */
function remarkOn(courses: readonly Course[]): string {
  const dropped = sum(courses.map((course) => course.dropped))
  return [
    ...(courses.some(({ points }) => isThinned(points))
      ? [`Lowest and highest operation of each of ${pixelColumns} columns`]
      : []),
    ...(dropped > 0 ? [`${groupDigits(dropped)} later operations were not kept`] : []),
  ].join(' · ')
}
