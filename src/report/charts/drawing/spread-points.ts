import { type Chart } from 'chart.js'
import { computeRange } from '../../../metrics/statistics.ts'
import { type Drawing } from './drawing.ts'

/** The width of a whisker with its neighbour's distance, in pixels. */
export const whiskerRoom = 11
/** Half of the height of a point. */
const pointRoom = 7

/** The pixels that a point and its whisker cover. */
type Placed = { readonly x: number; readonly top: number; readonly bottom: number }

/** Moves unconnected points that would lie on each other, or whose whiskers would, to the side of each other. */
export function spreadPoints(chart: Chart, { marks }: Drawing): void {
  const elements = marks.flatMap(({ dataset, index, range }) => {
    const element = chart.getDatasetMeta(dataset).data[index]
    return element === undefined || !chart.isDatasetVisible(dataset) ? [] : [{ element, range: range ?? [] }]
  })
  const places = besideEachOther(
    elements.map(({ element: { x, y }, range }) => {
      const ends = range.map((value) => chart.scales['y']?.getPixelForValue(value) ?? y)
      const { min, max } = computeRange([y - pointRoom, y + pointRoom, ...ends])
      return { x, top: min, bottom: max }
    }),
  )
  elements.forEach(({ element }, index) => {
    element.x = places[index] ?? element.x
  })
}

/** The x of points such that none covers another: those that would are around the middle of them, from left to right. */
export function besideEachOther(points: readonly Placed[]): readonly number[] {
  const groups = groupOverlappingPoints(points)
  return points.map((point) => {
    const group = groups.find((one) => one.includes(point)) ?? [point]
    const { min, max } = computeRange(group.map(({ x }) => x))
    return (min + max) / 2 + (group.indexOf(point) - (group.length - 1) / 2) * whiskerRoom
  })
}

function groupOverlappingPoints(points: readonly Placed[]): readonly (readonly Placed[])[] {
  let groups: (readonly Placed[])[] = []
  for (const point of points.toSorted((a, b) => a.x - b.x || a.top - b.top)) {
    const met = groups.filter((group) => group.some((other) => isOver(point, other)))
    groups = groups.filter((group) => !met.includes(group))
    groups.push([...met.flat(), point])
  }
  return groups
}

const isOver = (one: Placed, other: Placed): boolean =>
  Math.abs(one.x - other.x) < whiskerRoom && one.top <= other.bottom && other.top <= one.bottom
