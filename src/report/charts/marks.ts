import { type BarMark } from './drawing.ts'
import { type Picture } from './picture.ts'
import { barNumber } from './scales.ts'

const mostFigures = 24

/** Ranges of repeats on every bar or point that has one; figures on bars as long as there is room for them. */
export function marksOf({ kind, x, lines }: Picture): readonly BarMark[] {
  const bars = lines.flatMap(({ points }) => points).length
  const withFigures = kind === 'bar' && bars <= mostFigures
  return lines.flatMap(({ points }, dataset) =>
    points.flatMap((point, position) => {
      if (point.y === null || (!withFigures && point.range === null)) return []
      const index = x.kind === 'category' ? point.x : position
      return [{ dataset, index, range: point.range, text: withFigures ? barNumber(point.y) : null }]
    }),
  )
}
