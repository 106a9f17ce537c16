/** A chart as the reader sees it, before it is put in the words of Chart.js. */
export type Picture = {
  readonly kind: 'bar' | 'line'
  readonly title: string
  readonly x: XAxis
  /** One or two, left and right; each has a unit of its own. */
  readonly y: readonly YAxis[]
  readonly lines: readonly Line[]
  /** What it leaves out, for the small print. */
  readonly remark?: string
  /** What happened on purpose, over the whole height of the plot. */
  readonly bands?: readonly Band[]
  /** Who was something when, below the plot. */
  readonly strips?: readonly Strip[]
}

/** On the x axis. One that ends where it begins is a moment. */
export type Band = { readonly label: string; readonly from: number; readonly to: number }

export type Strip = {
  readonly title: string
  readonly segments: readonly Segment[]
  /** What happened there alone. Empty where all that is drawn has the same bands. */
  readonly bands: readonly Band[]
}

/** Where there is none, there was nobody. */
export type Segment = Band & {
  /** Segments of the same number have the same colour. */
  readonly colour: number
}

export type XAxis =
  | { readonly kind: 'category'; readonly title: string; readonly labels: readonly string[] }
  | { readonly kind: 'linear' | 'logarithmic'; readonly title: string; readonly ticks: readonly Tick[] }
  | Course

/** From 0 to its end, with whatever ticks suit it. */
type Course = { readonly kind: 'linear'; readonly title: string; readonly ticks: null; readonly end: number }

export type YAxis = {
  readonly title: string
  readonly unit: string
  readonly scale: 'linear' | 'logarithmic'
  /** What a logarithmic one has room for. Default: its own values. */
  readonly range?: readonly [smallest: number, largest: number]
}

export type Tick = { readonly value: number; readonly label: string }

/** A line, or the bars of one colour. */
export type Line = {
  readonly label: string
  /** Lines with the same key have the same colour in every chart of a report. */
  readonly colourKey: string
  /** What the key names: a measure, or one of several rows or operations. Each kind has its colours from the first one on. */
  readonly keyOf: 'measure' | 'series'
  /** Index of its y axis. */
  readonly axis: number
  /** Marks each point. */
  readonly dots: boolean
  readonly points: readonly Point[]
}

export type Point = {
  /** The number on the axis, or the index of the label. */
  readonly x: number
  readonly y: number | null
  /** Smallest and largest of the repeats. */
  readonly range: readonly [number, number] | null
  /** What it stands out by, in a word. Absent: it does not. */
  readonly mark?: string
}

/** All that an axis carries, with the ranges of the repeats. */
export function valuesOn({ lines }: Picture, axis: number): readonly number[] {
  return lines
    .filter((line) => line.axis === axis)
    .flatMap(({ points }) => points.flatMap(({ y, range }) => (y === null ? [] : [y, ...(range ?? [])])))
}

/** Bars would have to begin at 0, which a logarithmic axis does not have: points stand there instead. */
export const isDotted = ({ kind, y }: Picture, { axis }: Line): boolean =>
  kind === 'bar' && y[axis]?.scale === 'logarithmic'
