import { type Line } from './picture.ts'

/** Okabe and Ito's palette for colour-blind readers, without yellow, which is invisible on white. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#4d4d4d'] as const
const dashes = [[], [7, 4], [2, 3]] as const
/** The same colours, light enough for dark text on them. */
const paleColours = ['#c9e1f2', '#fadbc6', '#c4e9dc', '#f3dcea', '#fae6bf', '#ddf0fa', '#dcdcdc'] as const
const shapes = ['circle', 'rectRot', 'triangle', 'rect', 'crossRot', 'star'] as const

/** Colour, dash and point shape of a line. */
export type Style = {
  readonly colour: string
  readonly dash: readonly number[]
  readonly shape: (typeof shapes)[number]
}

type Keyed = Pick<Line, 'colourKey' | 'keyOf'>

const keyText = ({ colourKey, keyOf }: Keyed): string => `${keyOf} ${colourKey}`

/**
 * Assigns each key one style for all charts of a report: the first style that no other key in its charts has. Repeated
 * colours differ in dashes and shapes.
 */
export function stylesFor(charts: readonly (readonly Keyed[])[]): (line: Keyed) => Style {
  const indexes = new Map<string, number>()
  for (const line of charts.flat()) {
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
  return (line) => styleAt(indexes.get(keyText(line)) ?? 0)
}

function styleAt(index: number): Style {
  const round = Math.floor(index / colours.length)
  return {
    colour: colours[index % colours.length] ?? colours[0],
    dash: dashes[round % dashes.length] ?? [],
    shape: shapes[index % shapes.length] ?? 'circle',
  }
}

/** A colour for areas with text on them. */
export const paleColour = (index: number): string => paleColours[index % paleColours.length] ?? paleColours[0]
