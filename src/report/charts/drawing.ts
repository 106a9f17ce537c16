import { type ChartConfiguration } from 'chart.js'
import { type Tick } from './picture.ts'

export type ChartPoint = { x: number; y: number | null }

/** A chart as plain data: what Chart.js draws, and what it has no words for. `png.ts` alone turns it into pixels. */
export type Drawing = {
  /** Logical pixels; the image has twice as many each way. */
  readonly width: number
  readonly height: number
  readonly chart: ChartConfiguration<'bar' | 'line', (ChartPoint | number | null)[]>
  /** Small print in the lower right corner. */
  readonly caption: string
  /** Ticks of an axis, by its name, where Chart.js is not to choose them. */
  readonly ticks: Readonly<Record<string, readonly Tick[]>>
  readonly marks: readonly BarMark[]
  /** Datasets of bars of which only the ends are drawn, as points. */
  readonly dotted: readonly number[]
  /** Null: nothing happened on purpose. */
  readonly overlay: Overlay | null
}

/** What is drawn onto a bar or a point: the range of its repeats, its value in figures or what it stands out by. */
export type BarMark = {
  readonly dataset: number
  readonly index: number
  readonly range: readonly [number, number] | null
  readonly text: string | null
  /** Whether it has a ring around it. Default: none. */
  readonly isRinged?: true
}

/** What is drawn behind, above and below the lines, in values of the x axis. */
export type Overlay = {
  readonly bands: readonly { readonly from: number; readonly to: number }[]
  /** Names of bands above the plot, in lanes from the plot upwards, so that none lies on another. */
  readonly labels: readonly {
    readonly at: number
    readonly lane: number
    readonly text: string
    /** Whether it stands left of where it belongs: at the right end there is no other room. */
    readonly isBefore: boolean
  }[]
  readonly lanes: number
  readonly strips: readonly {
    readonly title: string
    readonly segments: readonly {
      readonly from: number
      readonly to: number
      readonly text: string
      /** Where there is no room for the text. */
      readonly short: string
      readonly fill: string
    }[]
    readonly bands: readonly { readonly from: number; readonly to: number }[]
  }[]
}
