import { type Evaluation } from '../../metrics/evaluate.ts'
import { type SaturationSpec } from '../../metrics/report-schema.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { dimensionTitle, numberOn, groupIntoSeries } from './dimensions.ts'
import { explainPoints } from './explanation.ts'
import { labelOn } from './labels.ts'
import { createMeasureLine } from './lines.ts'
import { type Line, type Picture, type Point } from './picture.ts'
import { markTrust } from './point-trust.ts'
import { readChart } from './read-chart.ts'
import { barNumber } from './scales.ts'
import { type Measured, resolveMeasures, measuredTitle, yAxes } from './y-axes.ts'

/** Latency against throughput, along the steps of a search or the values of a parameter. */
export function saturationPicture(evaluation: Evaluation, chart: SaturationSpec): Picture {
  const { spec } = evaluation
  const { kind, rows, series } = readChart(evaluation, chart, { x: chart.along })
  const [throughput, ...measured] = resolveMeasures([chart.x, ...chart.y], evaluation, kind)
  if (throughput === undefined) throw new RangeError('The chart has no throughput')
  const latencies = measured.map(({ address, heading, title }) => ({ address, heading, title, axis: 0 }))
  const lines: readonly Line[] = latencies.flatMap((one) =>
    groupIntoSeries(spec, rows, series).map(({ text, members }) =>
      createMeasureLine(one, latencies, text, {
        dots: true,
        points: withKnee(createSaturationPoints(members, chart, [throughput, one], evaluation)),
      }),
    ),
  )
  const along = dimensionTitle(spec, chart.along)
  const places = lines.flatMap(({ points }) => points.flatMap(({ x, y }) => (y === null ? [] : [x])))
  return {
    kind: 'line',
    title: chart.title ?? `${measuredTitle(latencies)} against ${throughput.heading}`,
    finding: kneeText(lines, along, throughput),
    x: {
      kind: 'linear',
      title: throughput.heading,
      ticks: null,
      end: computeRange([1, ...places]).max * roomBesideLast,
    },
    y: yAxes(latencies, lines, chart.scale),
    lines,
    legend: formatLegend(rows, latencies, { along, lines, evaluation }),
  }
}

export const roomBesideLast = 1.06

/** Points in the order of what differs between them: a curve may bend back. */
function createSaturationPoints(
  rows: readonly Row[],
  { along }: SaturationSpec,
  [throughput, latency]: readonly [throughput: Measured, latency: Measured],
  { figure }: Evaluation,
): readonly Point[] {
  return rows
    .toSorted((one, other) => (numberOn(one, along) ?? 0) - (numberOn(other, along) ?? 0))
    .flatMap((row) => {
      const { cell: x, trust } = figure(row, throughput.address)
      const { cell: y, range } = figure(row, latency.address)
      if (typeof x !== 'number' || typeof y !== 'number') return []
      return [
        {
          x,
          y,
          name: labelOn(row, along),
          range: range && ([range.low, range.high] as const),
          ...markTrust(trust),
        },
      ]
    })
}

/** Marks the point with the highest throughput for its latency, of those that compare. A curve that has it at its end has not bent yet. */
export function withKnee(points: readonly Point[]): readonly Point[] {
  const powers = points.map(({ x, y, trust }) => (y === null || y <= 0 || trust === 'do not compare' ? 0 : x / y))
  const most = Math.max(...powers)
  const knee = powers.indexOf(most)
  return most === 0 || knee === points.length - 1
    ? points
    : points.map((point, index) => (index === knee ? { ...point, mark: 'knee' } : point))
}

/** "knee at 1234 ops/s (Workers: 8)". Empty for several curves. */
function kneeText(lines: readonly Line[], along: string, { address }: Measured): string {
  const knees = lines.flatMap(({ points }) => points.filter(({ mark }) => mark !== undefined))
  const [knee] = knees
  return knee === undefined || lines.length > 1
    ? ''
    : `knee at ${barNumber(knee.x)} ${address.column.unit} (${along}: ${knee.name})`
}

function formatLegend(
  rows: readonly Row[],
  measured: readonly Measured[],
  {
    along,
    lines,
    evaluation,
  }: { readonly along: string; readonly lines: readonly Line[]; readonly evaluation: Evaluation },
): string {
  const evidence = measured.flatMap(({ address }) =>
    rows.map((row) => {
      const { runs, range, trust } = evaluation.figure(row, address)
      return { runs: runs.length, range, ...markTrust(trust) }
    }),
  )
  const isRinged = lines.some(({ points }) => points.some(({ mark }) => mark !== undefined))
  const ring = isRinged ? '; ring: knee, the highest throughput divided by latency' : ''
  return `${explainPoints('Points', evidence, false)}; numbers: ${along}${ring}`
}
