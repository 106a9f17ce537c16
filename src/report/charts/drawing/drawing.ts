import { type ChartConfiguration } from 'chart.js'
import { type Guide, type Tick } from '../picture.ts'
import { type Look } from './look.ts'

/** A point of a chart; y is null in a gap. */
export type ChartPoint = { x: number; y: number | null }

/** A chart laid out in a theme, as plain data: the Chart.js configuration, and what `withPlugins` adds to it. */
export type Drawing = {
  /** Logical pixels; the image has twice as many each way. */
  readonly width: number
  readonly height: number
  readonly look: Look
  readonly chart: ChartConfiguration<'bar' | 'line', (ChartPoint | number | null)[]>
  /** Lines of the caption in the lower right corner. */
  readonly caption: readonly string[]
  /** Ticks that Chart.js must not choose, by the name of the axis. */
  readonly ticks: Readonly<Record<string, readonly Tick[]>>
  readonly marks: readonly Mark[]
  /** Indexes of the line datasets that are filled down to the x axis. */
  readonly areas: readonly number[]
  /** Indexes of the bar datasets that are drawn as points at the ends of the bars. */
  readonly dotted: readonly number[]
  /** How far the points of each dataset are moved to the side, in pixels, so that whiskers are beside each other. */
  readonly shifts: readonly number[]
  /** Names of numbered points, listed to the right of the plot. */
  readonly key: readonly string[]
  /** Null: there is nothing to compare with. */
  readonly guide: Guide | null
  /** Null: there is nothing to mark. */
  readonly overlay: Overlay | null
}

/** Drawing at a bar or point: its whiskers, and its value or name. */
export type Mark = {
  readonly dataset: number
  readonly index: number
  readonly range: readonly [number, number] | null
  readonly text: string | null
  /** Whether it has a ring around it. Default: no. */
  readonly isRinged?: true
  /** Whether it is crossed out. Default: no. */
  readonly isCrossed?: true
}
/** Faults, primaries or changes around the lines, in values of the x axis. */
export type Overlay = {
  readonly bands: readonly { readonly from: number; readonly to: number }[]
  /** Names of bands above the plot, in lanes from the plot upwards, so that they do not overlap. */
  readonly labels: readonly {
    readonly at: number
    readonly lane: number
    readonly text: string
    /** Whether it is left of its position, because there is no room to the right. */
    readonly isBefore: boolean
  }[]
  readonly lanes: number
  readonly strips: readonly {
    readonly title: string
    readonly segments: readonly {
      readonly from: number
      readonly to: number
      readonly text: string
      /** Used if there is no room for the text. */
      readonly short: string
      readonly fill: string
    }[]
    readonly bands: readonly { readonly from: number; readonly to: number }[]
  }[]
}
