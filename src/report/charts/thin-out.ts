/** As many columns as the plot of a chart has logical pixels. */
export const pixelColumns = 900

type Sample = { readonly x: number; readonly y: number }

/**
 * As few points as draw the same line: the lowest and the highest of each column of pixels, in their order, so that no
 * spike is lost and none is made up. Points that are few enough stay as they are.
 * @param length Where the x axis ends; it begins at 0.
 */
export function thinOut(points: readonly Sample[], length: number): readonly Sample[] {
  if (points.length <= 2 * pixelColumns) return points
  const columns: { lowest: Sample; highest: Sample }[] = []
  for (const point of points) {
    const index = Math.floor((point.x / length) * pixelColumns)
    const column = columns[index]
    if (column === undefined) columns[index] = { lowest: point, highest: point }
    else if (point.y < column.lowest.y) column.lowest = point
    else if (point.y > column.highest.y) column.highest = point
  }
  return columns.flatMap(({ lowest, highest }) => {
    if (lowest === highest) return [lowest]
    return lowest.x < highest.x ? [lowest, highest] : [highest, lowest]
  })
}
