import { type TrustLevel } from '../../results/warnings/weights.ts'

/** Why a figure does not compare with others: its true value may be higher, because the client was the bottleneck, or nothing is known of it. */
export type LimitedTrust = Exclude<TrustLevel, 'comparable' | 'unchecked'>

/** A chart independent of Chart.js. */
export type Picture = {
  /** "points" are not connected. */
  readonly kind: 'bar' | 'line' | 'points'
  /** Subject, without figures. */
  readonly title: string
  /** Finding that it shows, with the figure that matters. Absent, or empty: nothing stands out. */
  readonly finding?: string
  readonly x: XAxis
  /** The names of the measures of rows that it compares, without places. Absent: it compares no rows. */
  readonly measures?: readonly string[]
  /** One or two; each has a unit of its own. */
  readonly y: readonly YAxis[]
  /** Position of the second y axis. Default: to the right of the plot. */
  readonly second?: 'below'
  readonly lines: readonly Line[]
  /** Note on what it leaves out, for the caption. */
  readonly remark?: string
  /** Meaning of its points and whiskers, for the subtitle and the text. Absent, or empty: it needs no explanation. */
  readonly legend?: string
  /** The names of its points in their order, if they are numbered. */
  readonly order?: readonly string[]
  /** Guide that its points are compared with. */
  readonly guide?: Guide
  /** Seconds of warm-up before the measured window, which are not drawn. Absent: none. */
  readonly warmup?: number
  /** Faults, over the whole height of the plot. */
  readonly bands?: readonly Band[]
  /** The primaries over time, below the plot. */
  readonly strips?: readonly Strip[]
}

/**
 * A line on which a value equals another, and a band around it.
 * "level": a value of the y axis; "equality": where y equals x.
 */
export type Guide = {
  readonly kind: 'level' | 'equality'
  /** The value of a level. Default 1. */
  readonly at?: number
  /** The ends of the band, as factors of the line. */
  readonly band: readonly [number, number]
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
  | {
      readonly kind: 'linear' | 'logarithmic'
      readonly title: string
      readonly ticks: readonly Tick[]
      /** Default: that of its values. */
      readonly range?: readonly [min: number, max: number]
    }
  | Course

/** A time line with automatic ticks. */
type Course = {
  readonly kind: 'linear'
  readonly title: string
  readonly ticks: null
  /** Default 0; below 0 before the measured window. */
  readonly from?: number
  readonly end: number
}

export type YAxis = {
  readonly title: string
  readonly unit: string
  readonly scale: 'linear' | 'logarithmic'
  /** Ends of a logarithmic axis. Default: a little beyond its values. */
  readonly range?: readonly [min: number, max: number]
  /** Whether a linear axis shows the range of its values alone. Default: it begins at 0. */
  readonly isCloseUp?: true
}

export type Tick = { readonly value: number; readonly label: string }

/** A line, or the bars of one colour. */
export type Line = {
  readonly label: string
  /** Lines with the same key have the same colour in every chart of a report. */
  readonly colourKey: string
  /** Subject of the key: a measure, or a series of rows or operations. Each kind uses the palette from its beginning. */
  readonly keyOf: 'measure' | 'series'
  /** Number of its style. Default: by its key. */
  readonly style?: number
  /** Index of the y axis. */
  readonly axis: number
  /** Whether each point has a mark. */
  readonly dots: boolean
  /** Whether it is filled down to the x axis. Default: no. */
  readonly isArea?: true
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
  /** Name of what it stands for, where the x axis does not show it. */
  readonly name?: string
  /** Absent: it compares with others. */
  readonly trust?: LimitedTrust
}

/** All values on an axis, including those of error bars and the level that they are compared with. */
export function valuesOn({ lines, guide }: Picture, axis: number): readonly number[] {
  const level = guide?.kind === 'level' && axis === 0 ? [guide.at ?? 1] : []
  const drawn = lines.filter((line) => line.axis === axis).flatMap(({ points }) => points)
  return [...level, ...drawn.flatMap(({ y, range }) => (y === null ? [] : [y, range ?? []].flat()))]
}

/** Whether bars are drawn as points: a logarithmic axis has no 0 at which bars could begin. */
export const isDotted = ({ kind, y }: Picture, { axis }: Line): boolean =>
  kind === 'bar' && y[axis]?.scale === 'logarithmic'

/** Whether no two bars have the same place, so that each can have all the room. */
export const isOneBarEach = ({ kind, lines }: Picture): boolean => {
  const places = lines.flatMap(({ points }) => points.flatMap(({ x, y }) => (y === null ? [] : [x])))
  return kind === 'bar' && new Set(places).size === places.length
}
