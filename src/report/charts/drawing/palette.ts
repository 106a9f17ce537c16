import { type Line } from '../picture.ts'
import { type Look, looks } from './look.ts'

const dashes = [[], [7, 4], [2, 3], [12, 3, 2, 3]] as const
/** Point shapes: five can be hollow; one comes again so that what is neutral is a circle. */
const shapes = ['circle', 'rectRot', 'triangle', 'rect', 'rectRounded', 'triangle'] as const

/** Colour, dash and point shape of a line. */
export type Style = {
  readonly colour: string
  readonly dash: readonly number[]
  readonly shape: (typeof shapes)[number]
}

type Keyed = Pick<Line, 'colourKey' | 'keyOf' | 'style'>

/** Number of the grey style, for what stands beside series. */
export const neutralStyle = 6

const keyText = ({ colourKey, keyOf }: Keyed): string => `${keyOf} ${colourKey}`

/**
 * Assigns each key the number of one style for all charts of a report: the first that no other key in its charts has.
 */
export function stylesFor(charts: readonly (readonly Keyed[])[]): (line: Keyed) => number {
  const indexes = new Map<string, number>()
  for (const line of charts.flat().filter(({ style }) => style === undefined)) {
    const key = keyText(line)
    if (indexes.has(key)) continue
    const beside = charts.filter((lines) => lines.some((other) => keyText(other) === key)).flat()
    const taken = new Set(
      beside.filter(({ keyOf }) => keyOf === line.keyOf).map((other) => indexes.get(keyText(other))),
    )
    let index = 0
    while (taken.has(index)) index++
    indexes.set(key, index)
  }
  return (line) => line.style ?? indexes.get(keyText(line)) ?? 0
}

/** Numbers of styles for the lines of one chart: lines with the same key, as of a series on two axes, keep its colour and differ in dash and shape. */
export function separateStyles(styles: readonly number[]): readonly number[] {
  const colours = looks.light.series.length
  const rounds = Math.ceil((Math.max(0, ...styles) + 1) / colours)
  return styles.map(
    (style, at) => style + colours * rounds * styles.slice(0, at).filter((other) => other === style).length,
  )
}

/** A style by its number. Repeated colours differ in dashes and shapes. */
export function styleAt(index: number, { series, ink }: Look): Style {
  const round = Math.floor(index / series.length)
  return {
    colour: series[index % series.length] ?? ink,
    dash: dashes[round % dashes.length] ?? [],
    shape: shapes[index % shapes.length] ?? 'circle',
  }
}

/** A colour for areas with text on them. */
export const areaColour = (index: number, { areas, ground }: Look): string => areas[index % areas.length] ?? ground
