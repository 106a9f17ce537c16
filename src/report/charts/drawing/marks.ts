import { isOneBarEach, type Picture, type Point } from '../picture.ts'
import { barNumber } from '../scales.ts'
import { type Mark } from './drawing.ts'
import { whiskerRoom } from './spread-points.ts'

const maxLabels = 24

/** Marks on bars and points: ranges of repeats, figures if there is room for them, labels of marked points, and crosses on those that do not compare. */
export function createMarks(picture: Picture, horizontal: boolean): readonly Mark[] {
  const { kind, x, lines } = picture
  const bars = lines.flatMap(({ points }) => points).length
  const withLabels = kind === 'bar' && (bars <= maxLabels || (horizontal && isOneBarEach(picture)))
  const textOf = (point: Point): string | null =>
    withLabels && point.y !== null ? (point.mark ?? barNumber(point.y)) : standingOut(point, picture)
  return lines.flatMap(({ points }, dataset) =>
    points.flatMap((point, position) => {
      if (point.y === null) return []
      const text = textOf(point)
      const isCrossed = point.trust === 'do not compare'
      if (text === null && point.range === null && !isCrossed) return []
      const index = x.kind === 'category' ? point.x : position
      const isRinged = kind === 'line' && point.mark !== undefined
      return [
        {
          dataset,
          index,
          range: point.range,
          text,
          ...(isRinged && { isRinged: true as const }),
          ...(isCrossed && { isCrossed: true as const }),
        },
      ]
    }),
  )
}

/** "best: 32", "knee: 8 workers", or the number of a point in the key. */
function standingOut(point: Point, { x: axis, order = [] }: Picture): string | null {
  const { mark, x: at, name } = point
  if (mark === undefined)
    return name === undefined || order.length === 0 ? (name ?? null) : String(order.indexOf(name) + 1)
  return `${mark}: ${axis.kind === 'category' ? axis.labels[at] : (name ?? at)}`
}

/** Whether points are not connected by lines. */
export const isUnconnected = ({ kind }: Picture): boolean => kind === 'points'

/** Moves the points of lines to the side of each other where whiskers would cover whiskers. */
export function computeLineShifts({ kind, x, lines }: Picture): readonly number[] {
  const hasPlaces = x.kind === 'category' || x.ticks !== null
  const ranged = lines.filter(({ points }) => points.some(({ range }) => range !== null))
  const meet = ranged.some((line) => ranged.some((other) => other !== line && sharesPlace(line.points, other.points)))
  return lines.map((line) =>
    kind === 'line' && hasPlaces && meet && ranged.includes(line)
      ? (ranged.indexOf(line) - (ranged.length - 1) / 2) * whiskerRoom
      : 0,
  )
}

const sharesPlace = (some: readonly Point[], others: readonly Point[]): boolean =>
  some.some(({ x, range }) => range !== null && others.some((other) => other.x === x && other.range !== null))
