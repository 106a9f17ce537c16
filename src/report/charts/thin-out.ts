/** Width of a plot in logical pixels. */
export const pixelColumns = 900

/** A point before thinning; y is null in a gap. */
export type Sample = { readonly x: number; readonly y: number | null }

/** Whether there are more points than are drawn. */
export const isThinned = ({ length }: ArrayLike<unknown>): boolean => length > 2 * pixelColumns

/**
 * Reduces points without changing the line: it keeps the lowest and the highest point of each column of pixels, in order.
 * A column without a value is a gap. A small number of points stays unchanged.
 * @param length End of the x axis, which begins at 0.
 */
export function thinOut(points: readonly Sample[], length: number): readonly Sample[] {
  if (!isThinned(points)) return points
  const columns: { lowest: Sample; highest: Sample }[] = []
  for (const point of points) {
    const index = Math.floor((point.x / length) * pixelColumns)
    const column = columns[index]
    if (column === undefined || column.lowest.y === null) columns[index] = { lowest: point, highest: point }
    else if (isBelow(point, column.lowest)) column.lowest = point
    else if (isBelow(column.highest, point)) column.highest = point
  }
  return columns.flatMap(({ lowest, highest }) => {
    if (lowest === highest) return [lowest]
    return lowest.x < highest.x ? [lowest, highest] : [highest, lowest]
  })
}

const isBelow = (one: Sample, other: Sample): boolean => one.y !== null && other.y !== null && one.y < other.y
