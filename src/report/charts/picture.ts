/** A chart independent of Chart.js. */
export type Picture = {
  readonly kind: 'bar' | 'line'
  readonly title: string
  readonly x: XAxis
  /** One or two, left and right; each has a unit of its own. */
  readonly y: readonly YAxis[]
  readonly lines: readonly Line[]
  /** What it leaves out, for the caption. */
  readonly remark?: string
  /** What its error bars are, for the caption and the text. Empty: it has none. */
  readonly errorBars?: string
  /** Faults, over the whole height of the plot. */
  readonly bands?: readonly Band[]
  /** The primaries over time, below the plot. */
  readonly strips?: readonly Strip[]
}

/** A range on the x axis, or an instant if both ends are equal. */
export type Band = { readonly label: string; readonly from: number; readonly to: number }

/** A bar below the plot with the primaries of one row. */
export type Strip = {
  readonly title: string
  readonly segments: readonly Segment[]
  /** Faults of this row alone. Empty if all drawn phases have the same bands. */
  readonly bands: readonly Band[]
}

/** The time of one primary. Gaps between segments have no primary. */
export type Segment = Band & {
  /** Index of the colour. */
  readonly colour: number
}

/** The x axis: categories, numbers with given ticks, or a time line. */
export type XAxis =
  | { readonly kind: 'category'; readonly title: string; readonly labels: readonly string[] }
  | { readonly kind: 'linear' | 'logarithmic'; readonly title: string; readonly ticks: readonly Tick[] }
  | Course

/** From 0 to its end, with automatic ticks. */
type Course = { readonly kind: 'linear'; readonly title: string; readonly ticks: null; readonly end: number }

/** A y axis with its unit. */
export type YAxis = {
  readonly title: string
  readonly unit: string
  readonly scale: 'linear' | 'logarithmic'
  /** Range of a logarithmic axis. Default: that of its values. */
  readonly range?: readonly [min: number, max: number]
  /** Whether a linear axis shows the range of its values alone. Default: it begins at 0. */
  readonly isCloseUp?: true
}

/** A tick of an axis. */
export type Tick = { readonly value: number; readonly label: string }

/** A line, or the bars of one colour. */
export type Line = {
  readonly label: string
  /** Lines with the same key have the same colour in every chart of a report. */
  readonly colourKey: string
  /** What the key names: a measure, or a series of rows or operations. Each kind uses the palette from its beginning. */
  readonly keyOf: 'measure' | 'series'
  /** Index of the y axis. */
  readonly axis: number
  /** Whether each point has a mark. */
  readonly dots: boolean
  readonly points: readonly Point[]
}

/** A point of a line, or a bar. */
export type Point = {
  /** The number on the axis, or the index of the label. */
  readonly x: number
  readonly y: number | null
  /** The ends of its error bar. Null: it has none. */
  readonly range: readonly [number, number] | null
  /** Label of a highlighted point, such as "best". Absent: not highlighted. */
  readonly mark?: string
}

/** All values on an axis, including those of error bars. */
export function valuesOn({ lines }: Picture, axis: number): readonly number[] {
  return lines
    .filter((line) => line.axis === axis)
    .flatMap(({ points }) => points.flatMap(({ y, range }) => (y === null ? [] : [y, ...(range ?? [])])))
}

/** Whether bars are drawn as dots: a logarithmic axis has no 0 at which bars could begin. */
export const isDotted = ({ kind, y }: Picture, { axis }: Line): boolean =>
  kind === 'bar' && y[axis]?.scale === 'logarithmic'
