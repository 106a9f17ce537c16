import { sum } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { type ChartSpec, type Dimension, type LineSpec } from '../../metrics/report-schema.ts'
import { captionOf, machineText } from '../environment.ts'
import { fileNames } from '../file-names.ts'
import { findingOf } from '../finding.ts'
import { type FullReportSpec, reportSpecOf } from '../report-spec.ts'
import { stylesFor } from './drawing/palette.ts'
import { headlineOf } from './headline.ts'
import { rowsPicture } from './over-rows.ts'
import { perCallPicture } from './per-call.ts'
import { perSecondPicture } from './per-second.ts'
import { percentilesPictures } from './percentiles.ts'
import { type Picture } from './picture.ts'
import { chartOf, type ReportChart } from './report-chart.ts'
import { saturationPicture } from './saturation.ts'
import { shareRanges } from './share-ranges.ts'

/**
 * Charts of a report as plain data. Charts without points, or with a single one, are left out.
 * @param more Additional pictures, after those of the spec.
 */
export function chartsOf(
  result: Result,
  spec: FullReportSpec = reportSpecOf(result),
  more: readonly Picture[] = [],
): readonly ReportChart[] {
  const asked = spec.charts.flatMap((chart) => picturesOf(result, spec, chart))
  const pictures = shareRanges([...asked, ...more].filter(showsSomething))
  const files = fileNames(
    pictures.map(({ title }) => title),
    'png',
  )
  const styleOf = stylesFor(pictures.map(({ lines }) => lines))
  const stated = findingOf(result)
  const main = stated === null ? undefined : pictures.find(({ measures = [] }) => measures.includes(stated.measure))
  return pictures.map((picture, index) => {
    const title = stated !== null && picture === main ? `${plain(stated.text)}: ${stated.ratio}` : headlineOf(picture)
    return chartOf(picture, styleOf, {
      file: files[index] ?? `chart-${index + 1}.png`,
      title,
      subtitle: subtitleOf(picture, title, result),
      caption: joined(picture.remark, captionOf(result)),
    })
  })
}

/** Text without the backticks of Markdown. */
const plain = (text: string): string => text.replaceAll('`', '')

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ')

/** What was measured and where, and what points and whiskers are. */
function subtitleOf({ y, legend }: Picture, title: string, result: Result): string {
  const measures = y.map((axis) => axis.title).join(' and ')
  const what = joined(title.includes(measures) ? '' : measures, result.spec.title, machineText(result))
  return [what, legend ?? ''].filter((line) => line !== '').join('\n')
}

function picturesOf(result: Result, spec: FullReportSpec, chart: ChartSpec): readonly Picture[] {
  switch (chart.kind) {
    case 'bar':
      return [rowsPicture(result, spec, chart)]
    case 'line':
      return [linePicture(result, spec, chart)]
    case 'saturation':
      return [saturationPicture(result, spec, chart)]
    case 'percentiles':
      return percentilesPictures(result, spec, chart)
  }
}

function linePicture(result: Result, spec: FullReportSpec, chart: LineSpec): Picture {
  if (chart.x === 'second') return perSecondPicture(result, spec, chart)
  return isOverRows(chart) ? rowsPicture(result, spec, chart) : perCallPicture(result, spec, chart)
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
