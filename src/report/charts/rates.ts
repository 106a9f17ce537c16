import { parseThreshold, type Threshold } from '../../language/thresholds.ts'
import { metricIn } from '../../metrics/address.ts'
import { getColumn, isMetric } from '../../metrics/columns/index.ts'
import { searchWords } from '../../metrics/search-words.ts'
import { type Result } from '../../results/schema.ts'
import { type FoundSearch, formatAnswer, listSearches } from '../prose/search-text.ts'
import { type Picture, type Point } from './picture.ts'
import { roomBesideLast, withKnee } from './saturation.ts'
import { barNumber, logRange } from './scales.ts'

/** For each search for a rate, what its upper limit bounds against the rate, with the limit as a line. */
export const ratePictures = (result: Result): readonly Picture[] =>
  listSearches(result).flatMap((found) => ratePicture(found) ?? [])

function ratePicture({ label, phase, search }: FoundSearch): Picture | undefined {
  const drawn = search.holds.map(parseThreshold).findIndex(isDrawn)
  const threshold = parseThreshold(search.holds[drawn] ?? '')
  if (threshold === undefined || search.kind !== 'findRate') return undefined
  const metric = metricIn(threshold.address)
  const { title, unit } = isMetric(metric) ? getColumn(metric) : { title: metric, unit: '' }
  // Of a rate that was tried again, the last step decided.
  const deciding = new Map(search.steps.map((step) => [step.at, step]))
  const points = [...deciding.values()]
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at: x, limits, held }): readonly Point[] => {
      const y = limits[drawn]?.measured ?? null
      return y === null || y <= 0
        ? []
        : [{ x, y, range: null, name: barNumber(x), ...(!held && { trust: 'do not compare' as const }) }]
    })
  const values = points.flatMap(({ y }) => y ?? [])
  const last = Math.max(1, ...points.map(({ x }) => x))
  return {
    kind: 'line',
    title: `${title} against ${searchWords[search.kind].places}${label === '' ? '' : ` (${label})`}`,
    finding: formatAnswer(search),
    x: { kind: 'linear', title: searchWords[search.kind].places, ticks: null, end: last * roomBesideLast },
    y: [{ title, unit, scale: 'logarithmic', range: logRange([...values, threshold.limit]) }],
    lines: [{ label: title, colourKey: phase, keyOf: 'measure', axis: 0, dots: true, points: withKnee(points) }],
    guide: { kind: 'level', at: threshold.limit, band: [1, 1] },
    legend: `Line: the limit, ${search.holds[drawn]}; crosses: steps that missed; ring: knee, the highest rate divided by latency`,
  }
}

/** Whether a limit is an upper bound on something that a logarithmic axis can show. */
const isDrawn = (threshold: Threshold | undefined): boolean =>
  threshold !== undefined && threshold.sign.startsWith('<') && threshold.limit > 0
