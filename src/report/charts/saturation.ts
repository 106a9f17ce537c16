import { parseThreshold, type Threshold } from '../../language/thresholds.ts'
import { metricIn } from '../../metrics/address.ts'
import { getColumn, isMetric } from '../../metrics/columns/index.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { type SaturationSpec } from '../../metrics/report-schema.ts'
import { searchWords } from '../../metrics/search-words.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { formatAnswer, type FoundSearch, listSearches, nameSearch } from '../prose/search-text.ts'
import { dimensionTitle, numberOn, readChart } from './dimensions.ts'
import { labelOn } from './labels.ts'
import { createRowLines, explainRows } from './over-rows.ts'
import { type Picture, type Point } from './picture.ts'
import { barNumber, scaleFor } from './scales.ts'
import { resolveMeasures, measuredTitle, yAxes } from './y-axes.ts'

/** Latency against throughput, along the steps of a search or the values of a parameter. */
export function saturationPicture(evaluation: Evaluation, chart: SaturationSpec): Picture {
  const { spec, figure } = evaluation
  const { kind, rows, series } = readChart(evaluation, chart, { x: chart.along })
  const [throughput] = resolveMeasures([chart.x], evaluation, kind)
  if (throughput === undefined) throw new RangeError('The chart has no throughput')
  const { heading, address } = throughput
  const latencies = resolveMeasures(chart.y, evaluation, kind)
  const along = dimensionTitle(spec, chart.along)
  const lines = createRowLines(rows, latencies, {
    evaluation,
    series,
    orderOf: (row) => numberOn(row, chart.along) ?? 0,
    placeOf(row) {
      const { cell: x } = figure(row, address)
      return typeof x === 'number' ? { x, name: labelOn(row, chart.along) } : null
    },
  })
  return curvesPicture({
    title: chart.title ?? `${measuredTitle(latencies)} against ${heading}`,
    x: heading,
    y: yAxes(latencies, lines, chart.scale),
    lines,
    kneeOf: 'throughput',
    findingOf: (knee) =>
      knee === undefined ? '' : `knee at ${barNumber(knee.x)} ${address.column.unit} (${along}: ${knee.name})`,
    legend: `${explainRows('Points', rows, latencies, evaluation)}; numbers: ${along}`,
  })
}

/** For each search under limits, what its first upper limit bounds against what differs between steps. */
export const searchPictures = (result: Result): readonly Picture[] =>
  listSearches(result).flatMap((found) => {
    const { holds } = found.search
    const drawn = holds.map(parseThreshold).findIndex(isDrawn)
    const limit = parseThreshold(holds[drawn] ?? '')
    return limit === undefined ? [] : [searchPicture(found, drawn, limit)]
  })

function searchPicture(found: FoundSearch, drawn: number, { address, limit }: Threshold): Picture {
  const { phase, search } = found
  const { places, kneeOf } = searchWords[search.kind]
  const metric = metricIn(address)
  const { title, unit } = isMetric(metric) ? getColumn(metric) : { title: metric, unit: '' }
  // Of a place that was tried again, the last step decided.
  const deciding = [...new Map(search.steps.map((step) => [step.at, step])).values()]
  const points = deciding
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at: x, limits, held }): readonly Point[] => {
      const y = limits[drawn]?.measured ?? null
      return [{ x, y, range: null, name: barNumber(x), ...(!held && { trust: 'do not compare' as const }) }]
    })
  const scale = scaleFor([limit, ...points.flatMap(({ y }) => y ?? [])])
  const label = nameSearch(found)
  return curvesPicture({
    title: `${title} against ${places}${label === '' ? '' : ` (${label})`}`,
    x: places,
    y: [{ title, unit, scale }],
    lines: [{ label: title, colourKey: phase, keyOf: 'measure', axis: 0, dots: true, points }],
    guide: { kind: 'level', at: limit, band: [1, 1] },
    kneeOf,
    findingOf: () => formatAnswer(search),
    legend: `Line: the limit, ${search.holds[drawn]}${deciding.every(({ held }) => held) ? '' : '; crosses: steps that missed'}`,
  })
}

/** Whether a limit is an upper bound that has values on both sides. */
const isDrawn = (threshold: Threshold | undefined): boolean =>
  threshold !== undefined && threshold.sign.startsWith('<') && threshold.limit > 0

/** Curves whose points are in the order of what differs between them: they may bend back. */
type Curves = Pick<Picture, 'title' | 'y' | 'lines' | 'guide'> & {
  readonly x: string
  /** Dividend of the ratio whose highest value, by latency, is the knee. Null: the curves have none. */
  readonly kneeOf: string | null
  /** The finding, by the knee of a single curve. */
  readonly findingOf: (knee: Point | undefined) => string
  readonly legend: string
}

const roomBesideLast = 1.06

function curvesPicture({ x, kneeOf, findingOf, legend, ...drawn }: Curves): Picture {
  const lines = drawn.lines.map((line) => {
    const points = line.points.filter(({ y }) => y !== null)
    return { ...line, points: kneeOf === null ? points : withKnee(points) }
  })
  const points = lines.flatMap((line) => line.points)
  const knees = points.filter(({ mark }) => mark !== undefined)
  const end = computeRange([1, ...points.map((point) => point.x)]).max * roomBesideLast
  return {
    ...drawn,
    kind: 'line',
    finding: findingOf(lines.length === 1 ? knees[0] : undefined),
    x: { kind: 'linear', title: x, ticks: null, end },
    lines,
    legend: knees.length === 0 ? legend : `${legend}; ring: knee, the highest ${kneeOf} divided by latency`,
  }
}

/** Marks the point with the highest throughput for its latency, of those that compare. A curve that has it at its end has not bent yet. */
function withKnee(points: readonly Point[]): readonly Point[] {
  const powers = points.map(({ x, y, trust }) => (y === null || y <= 0 || trust === 'do not compare' ? 0 : x / y))
  const most = Math.max(...powers)
  const knee = powers.indexOf(most)
  return most === 0 || knee === points.length - 1
    ? points
    : points.map((point, index) => (index === knee ? { ...point, mark: 'knee' } : point))
}
