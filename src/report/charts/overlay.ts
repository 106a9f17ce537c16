import { type Drawing, type Overlay } from './drawing.ts'
import { paleColour } from './palette.ts'
import { type Band, type Picture } from './picture.ts'

export const laneHeight = 19
export const stripHeight = 20
export const stripTitleHeight = 20
const roomAroundStrips = 14

/** Of the plot at its narrowest, with an axis on each side, in logical pixels. */
const plotWidth = 780
/** Of a letter of the labels at its widest. */
const letterWidth = 7.6
const roomBetweenLabels = 10
const maxLabelLength = 30
const maxLanes = 5

/** Null where nothing happened on purpose. */
export function overlayOf({ x, bands = [], strips = [] }: Pick<Picture, 'x' | 'bands' | 'strips'>): Overlay | null {
  if (!('end' in x) || bands.length + strips.length === 0) return null
  const { end } = x
  const shown = bands.filter(({ from }) => from <= end)
  const labels = placeLabels(shown, end)
  return {
    bands: shown.map(({ from, to }) => ({ from, to })),
    labels,
    lanes: Math.max(0, ...labels.map(({ lane }) => lane + 1)),
    strips: strips.map(({ title, segments, bands: own }) => ({
      title,
      segments: segments.map(({ from, to, label, colour }) => {
        return { from, to, text: label, short: numberIn(label), fill: paleColour(colour) }
      }),
      bands: own.map(({ from, to }) => ({ from, to })),
    })),
  }
}

/** "1" of "member1". */
const numberIn = (label: string): string => /\d*$/.exec(label)?.[0] ?? ''

/** What it adds to the height of a drawing. */
export const heightAbove = (overlay: Drawing['overlay']): number => (overlay?.lanes ?? 0) * laneHeight

export function heightBelow(overlay: Drawing['overlay']): number {
  const strips = overlay?.strips.length ?? 0
  return strips === 0 ? 0 : strips * (stripTitleHeight + stripHeight) + roomAroundStrips
}

type Label = Overlay['labels'][number]

/** In pixels of the narrowest plot. */
type Taken = { readonly from: number; readonly to: number }

/**
 * Every name is there at least once, as far as there is room; where it comes again, it is left out before a lane is added.
 * From the right to the left, so that a name stands higher than those that begin under it.
 */
function placeLabels(bands: readonly Band[], end: number): readonly Label[] {
  const lanes: Taken[][] = []
  const firsts = bands.filter(({ label }, index) => bands.findIndex((band) => band.label === label) === index)
  const again = bands.filter((band) => !firsts.includes(band))
  return [
    ...firsts.toReversed().flatMap((band) => labelFor(band, { end, lanes, most: maxLanes })),
    ...again.flatMap((band) => labelFor(band, { end, lanes, most: lanes.length })),
  ].toSorted((a, b) => a.at - b.at)
}

function labelFor(
  { label, from: at }: Band,
  { end, lanes, most }: { readonly end: number; readonly lanes: Taken[][]; readonly most: number },
): readonly Label[] {
  const text = label.length <= maxLabelLength ? label : `${label.slice(0, maxLabelLength - 1)}…`
  const width = text.length * letterWidth + roomBetweenLabels
  const place = (at / end) * plotWidth
  const isBefore = place + width > plotWidth
  const from = isBefore ? place - width : place
  const isFree = (taken: readonly Taken[]): boolean =>
    taken.every((other) => from + width <= other.from || other.to <= from)
  const free = lanes.findIndex(isFree)
  const lane = free < 0 ? lanes.length : free
  if (lane >= most) return []
  lanes[lane] = [...(lanes[lane] ?? []), { from, to: from + width }]
  return [{ at, lane, text, isBefore }]
}
