import { type Result } from '../../results/schema.ts'
import { captionOf } from '../environment.ts'
import { type FullReportSpec, reportSpecOf } from '../report-spec.ts'
import { type ChartSpec } from '../../schema/report-schema.ts'
import { sum } from '../../metrics/statistics.ts'
import { altText } from './alt-text.ts'
import { configurationOf } from './configuration.ts'
import { type Drawing } from './drawing.ts'
import { fileNames } from '../file-names.ts'
import { barPicture, linePicture } from './over-rows.ts'
import { stylesFor } from './palette.ts'
import { perCallPicture } from './per-call.ts'
import { percentilesPictures } from './percentiles.ts'
import { perSecondPicture } from './per-second.ts'
import { type Picture } from './picture.ts'
import { shareRanges } from './share-ranges.ts'

/** A chart of a report, ready to draw. */
export type ReportChart = {
  /** Name of the PNG file, beside the report. */
  readonly file: string
  readonly title: string
  readonly alt: string
  readonly configuration: Drawing
}

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
  return pictures.map((picture, index) => ({
    file: files[index] ?? `chart-${index + 1}.png`,
    title: picture.title,
    alt: altText(picture),
    configuration: configurationOf(picture, {
      subtitle: picture.title === result.spec.title ? '' : result.spec.title,
      caption: [picture.errorBars ?? '', picture.remark ?? '', captionOf(result)]
        .filter((part) => part !== '')
        .join(' · '),
      styleOf,
    }),
  }))
}

function picturesOf(result: Result, spec: FullReportSpec, chart: ChartSpec): readonly Picture[] {
  switch (chart.kind) {
    case 'bar':
      return [barPicture(result, spec, chart)]
    case 'line':
      if (chart.x === 'second') return [perSecondPicture(result, spec, chart)]
      return [chart.x === 'operation' ? perCallPicture(result, spec, chart) : linePicture(result, spec, chart, chart.x)]
    case 'percentiles':
      return percentilesPictures(result, spec, chart)
  }
}

/** Tables show single numbers better. A time line needs several points of one line. */
function showsSomething({ lines }: Picture): boolean {
  const places = lines.map(({ dots, points }) => {
    const known = new Set(points.flatMap(({ x, y }) => (y === null ? [] : [x]))).size
    return { dots, known }
  })
  return sum(places.map(({ known }) => known)) > 1 && places.some(({ dots, known }) => dots || known > 1)
}
