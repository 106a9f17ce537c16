import { groupBy } from '../../metrics/group-by.ts'
import { type Picture, valuesOn, type YAxis } from './picture.ts'
import { logRange } from './scales.ts'

const keyOf = ({ title, unit }: YAxis): string => JSON.stringify([title, unit])

/** Gives the logarithmic axes of one measure the same range in all charts of a report. */
export function shareRanges(pictures: readonly Picture[]): readonly Picture[] {
  const drawn = pictures.flatMap((picture) =>
    picture.y.flatMap((axis, index) =>
      axis.scale === 'logarithmic' ? valuesOn(picture, index).map((value) => ({ key: keyOf(axis), value })) : [],
    ),
  )
  const ranges = new Map(
    [...groupBy(drawn, ({ key }) => key)].map(([key, of]) => [key, logRange(of.map(({ value }) => value))]),
  )
  const shared = (axis: YAxis): YAxis => {
    const range = axis.scale === 'logarithmic' ? ranges.get(keyOf(axis)) : undefined
    return range === undefined || axis.range !== undefined ? axis : { ...axis, range }
  }
  return pictures.map((picture) => ({ ...picture, y: picture.y.map(shared) }))
}
