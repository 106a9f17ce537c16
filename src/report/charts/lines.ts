import { type Line, type Point } from './picture.ts'
import { type Measured } from './y-axes.ts'

/**
 * A line with its label and colour. The series determines the colour if the measures do not need it: with one measure, or
 * with one on each axis. A label contains only what distinguishes the line.
 */
export function createMeasureLine(
  one: Measured,
  all: readonly Measured[],
  series: string,
  look: { readonly dots: boolean; readonly points: readonly Point[] },
): Line {
  const onePerAxis = new Set(all.map(({ axis }) => axis)).size === all.length
  const full = series === '' ? one.title : `${series}, ${one.title}`
  return {
    label: all.length === 1 && all.includes(one) && series !== '' ? series : full,
    colourKey: onePerAxis && series !== '' ? series : full,
    keyOf: series === '' ? 'measure' : 'series',
    axis: one.axis,
    ...look,
  }
}
