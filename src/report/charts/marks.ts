import { type BarMark } from './drawing.ts'
import { type Picture, type Point } from './picture.ts'
import { barNumber } from './scales.ts'

const maxFigures = 24

/** Marks on bars and points: ranges of repeats, figures if there is room for them, and labels of marked points. */
export function marksOf({ kind, x, lines }: Picture): readonly BarMark[] {
  const bars = lines.flatMap(({ points }) => points).length
  const withFigures = kind === 'bar' && bars <= maxFigures
  return lines.flatMap(({ points }, dataset) =>
    points.flatMap((point, position) => {
      if (point.y === null) return []
      const text = withFigures ? barNumber(point.y) : standingOut(point, x)
      if (text === null && point.range === null) return []
      const index = x.kind === 'category' ? point.x : position
      return [
        { dataset, index, range: point.range, text, ...(point.mark !== undefined && { isRinged: true as const }) },
      ]
    }),
  )
}

/** "best: 32" */
function standingOut({ mark, x: at }: Point, axis: Picture['x']): string | null {
  if (mark === undefined) return null
  return `${mark}: ${axis.kind === 'category' ? axis.labels[at] : at}`
}
