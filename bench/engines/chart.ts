import { drawChart } from '../../src/report/charts/drawing/draw-chart.ts'
import { stylesFor } from '../../src/report/charts/drawing/palette.ts'
import { type Line, type Picture } from '../../src/report/charts/picture.ts'
import { createChart } from '../../src/report/charts/report-chart.ts'
import { type Cost, computeMedian } from '../benchmark.ts'
import { type SideName, sideNames } from './side.ts'
import { type WorkResult } from './work.ts'

/** Draws the throughput of all sides by work, as a PNG. */
export function drawThroughput(results: readonly WorkResult[]): Promise<Buffer> {
  const lines = sideNames.map((side) => createLine(side, results)).filter(({ points }) => points.length > 0)
  const picture: Picture = {
    kind: 'bar',
    title: 'Throughput by client',
    x: { kind: 'category', title: '', labels: results.map(({ work }) => work.title) },
    // The maximum may be a thousand times the minimum.
    y: [{ title: 'Operations or documents per second', unit: '', scale: 'logarithmic' }],
    lines,
  }
  const subtitle = 'Points: medians of the rounds; whiskers: lowest to highest; the server runs beside the client'
  return drawChart(createChart(picture, stylesFor([lines]), { file: '', title: picture.title, subtitle, caption: '' }))
}

function createLine(side: SideName, results: readonly WorkResult[]): Line {
  const points = results.flatMap(({ costs }, x) => {
    const rounds = costs[side]
    if (!rounds) return []
    const rates = rounds.map(perSecond)
    return { x, y: computeMedian(rounds, perSecond), range: [Math.min(...rates), Math.max(...rates)] as const }
  })
  return { label: side, colourKey: side, keyOf: 'series', axis: 0, dots: true, points }
}

const perSecond = ({ wallUs }: Cost): number => 1e6 / wallUs
