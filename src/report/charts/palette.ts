import { type Line } from './picture.ts'

/** Okabe and Ito's colours, which people with any kind of colour vision can tell apart; without yellow, which white swallows. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#4d4d4d'] as const
const dashes = [[], [7, 4], [2, 3]] as const
const shapes = ['circle', 'rectRot', 'triangle', 'rect', 'crossRot', 'star'] as const

export type Style = {
  readonly colour: string
  readonly dash: readonly number[]
  readonly shape: (typeof shapes)[number]
}

/** The style of each key, in the order of first appearance; colours that come again are told apart by dashes and shapes. */
export function stylesFor(
  lines: readonly Pick<Line, 'colourKey' | 'keyOf'>[],
): (line: Pick<Line, 'colourKey' | 'keyOf'>) => Style {
  const keysOf = (kind: Line['keyOf']): readonly string[] => [
    ...new Set(lines.filter(({ keyOf }) => keyOf === kind).map(({ colourKey }) => colourKey)),
  ]
  const keys = { measure: keysOf('measure'), series: keysOf('series') }
  return ({ colourKey, keyOf }) => styleAt(Math.max(0, keys[keyOf].indexOf(colourKey)))
}

function styleAt(index: number): Style {
  const round = Math.floor(index / colours.length)
  return {
    colour: colours[index % colours.length] ?? colours[0],
    dash: dashes[round % dashes.length] ?? [],
    shape: shapes[index % shapes.length] ?? 'circle',
  }
}
