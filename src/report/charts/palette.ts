import { type Line } from './picture.ts'

/** Okabe and Ito's colours, which people with any kind of colour vision can tell apart; without yellow, which white swallows. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#4d4d4d'] as const
const dashes = [[], [7, 4], [2, 3]] as const
/** The same colours, thinned with white until dark text is easy to read on them. */
const paleColours = ['#c9e1f2', '#fadbc6', '#c4e9dc', '#f3dcea', '#fae6bf', '#ddf0fa', '#dcdcdc'] as const
const shapes = ['circle', 'rectRot', 'triangle', 'rect', 'crossRot', 'star'] as const

export type Style = {
  readonly colour: string
  readonly dash: readonly number[]
  readonly shape: (typeof shapes)[number]
}

type Keyed = Pick<Line, 'colourKey' | 'keyOf'>

const keyText = ({ colourKey, keyOf }: Keyed): string => `${keyOf} ${colourKey}`

/**
 * The style of each key, one and the same in all charts of a report: the first that no other key has in any of its charts.
 * Colours that come again in a chart are told apart by dashes and shapes.
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

/** For areas with text on them. */
export const paleColour = (index: number): string => paleColours[index % paleColours.length] ?? paleColours[0]
