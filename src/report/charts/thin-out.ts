/** As many columns as the plot of a chart has logical pixels. */
export const pixelColumns = 900

export type Sample = { readonly x: number; readonly y: number | null }

/** Whether there are more of them than are drawn. */
export const isThinned = ({ length }: ArrayLike<unknown>): boolean => length > 2 * pixelColumns

/**
 * As few points as draw the same line: the lowest and the highest of each column of pixels, in their order, so that no
 * spike is lost and none is made up. A column without any value is a gap. Points that are few enough stay as they are.
 * @param length Where the x axis ends; it begins at 0.
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
