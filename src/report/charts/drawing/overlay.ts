import { type Band, type Picture } from '../picture.ts'
import { type Drawing, type Overlay } from './drawing.ts'
import { type Look } from './look.ts'
import { areaColour } from './palette.ts'

/** Height of a lane of names, in pixels. */
export const laneHeight = 19
/** Height of a strip, in pixels. */
export const stripHeight = 20
/** Height of the title of a strip, in pixels. */
export const stripTitleHeight = 20
const roomAroundStrips = 14

/** Minimum width of the plot, with an axis on each side, in logical pixels. */
const plotWidth = 780
/** Maximum width of a letter of a label, in logical pixels. */
const letterWidth = 7.6
const roomBetweenLabels = 10
const maxLabelLength = 30
const maxLanes = 5

/** The overlay of a chart over time, or over runs. Null if there is nothing to mark. */
export function createOverlay(
  { x, warmup, bands = [], strips = [] }: Pick<Picture, 'x' | 'warmup' | 'bands' | 'strips'>,
  look: Look,
): Overlay | null {
  const span = computeAxisSpan(x)
  const before = warmup === undefined || span === null ? [] : [{ label: 'warm-up', from: span.from, to: 0 }]
  if (span === null || before.length + bands.length + strips.length === 0) return null
  const shown = [...before, ...bands.filter(({ from }) => from <= span.to)]
  const labels = placeLabels(shown, span)
  return {
    bands: shown.map(({ from, to }) => ({ from, to })),
    labels,
    lanes: Math.max(0, ...labels.map(({ lane }) => lane + 1)),
    strips: strips.map(({ title, segments, bands: own }) => ({
      title,
      segments: segments.map(({ from, to, label, colour }) => {
        return { from, to, text: label, short: numberIn(label), fill: areaColour(colour, look) }
      }),
      bands: own.map(({ from, to }) => ({ from, to })),
    })),
  }
}

type Span = Pick<Band, 'from' | 'to'>

/** The ends of the axis. Null: it has names at some numbers alone. */
function computeAxisSpan(x: Picture['x']): Span | null {
  if (x.kind === 'category') return { from: 0, to: x.labels.length - 1 }
  return 'end' in x ? { from: x.from ?? 0, to: x.end } : null
}

/** "1" of "member1". */
const numberIn = (label: string): string => /\d*$/.exec(label)?.[0] ?? ''

/** Height that the names of bands add above the plot, in pixels. */
export const heightAbove = (overlay: Drawing['overlay']): number => (overlay?.lanes ?? 0) * laneHeight

/** Height that strips add below the plot, in pixels. */
export function heightBelow(overlay: Drawing['overlay']): number {
  const strips = overlay?.strips.length ?? 0
  return strips === 0 ? 0 : strips * (stripTitleHeight + stripHeight) + roomAroundStrips
}

type Label = Overlay['labels'][number]

/** Horizontal range in pixels, of the plot at its minimum width. */
type Taken = { readonly from: number; readonly to: number }

/**
 * Places every name at least once, if there is room. A repeated name is left out rather than adding a lane. Names are placed
 * from right to left, so that a name is above those that begin under it.
 */
function placeLabels(bands: readonly Band[], span: Span): readonly Label[] {
  const lanes: Taken[][] = []
  const firsts = bands.filter(({ label }, index) => bands.findIndex((band) => band.label === label) === index)
  const again = bands.filter((band) => !firsts.includes(band))
  return [
    ...firsts.toReversed().flatMap((band) => labelFor(band, { span, lanes, limit: maxLanes })),
    ...again.flatMap((band) => labelFor(band, { span, lanes, limit: lanes.length })),
  ].toSorted((a, b) => a.at - b.at)
}

function labelFor(
  { label, from: at }: Band,
  { span, lanes, limit }: { readonly span: Span; readonly lanes: Taken[][]; readonly limit: number },
): readonly Label[] {
  const text = label.length <= maxLabelLength ? label : `${label.slice(0, maxLabelLength - 1)}…`
  const width = text.length * letterWidth + roomBetweenLabels
  const place = ((at - span.from) / (span.to - span.from)) * plotWidth
  const isBefore = place + width > plotWidth
  const from = isBefore ? place - width : place
  const isFree = (taken: readonly Taken[]): boolean =>
    taken.every((other) => from + width <= other.from || other.to <= from)
  const free = lanes.findIndex(isFree)
  const lane = free < 0 ? lanes.length : free
  if (lane >= limit) return []
  lanes[lane] = [...(lanes[lane] ?? []), { from, to: from + width }]
  return [{ at, lane, text, isBefore }]
}
