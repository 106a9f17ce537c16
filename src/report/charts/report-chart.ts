import { altText } from './alt-text.ts'
import { type Theme } from './drawing/look.ts'
import { type Line, type Picture } from './picture.ts'

/** A chart as serializable data: `drawingOf` lays it out for Chart.js, `drawChart` makes a PNG of it. */
export type ReportChart = {
  /** Name of the PNG file in light colours. */
  readonly file: string
  /** What it shows, with the figure that matters. */
  readonly title: string
  /** What was measured, and where. */
  readonly subtitle: string
  /** What it leaves out, and how it was measured. */
  readonly caption: string
  /** The chart as text. */
  readonly alt: string
  readonly picture: Picture
  /** The number of the style of each line; the same key has the same in all charts of a report. */
  readonly styles: readonly number[]
}

type Texts = Pick<ReportChart, 'file' | 'title' | 'subtitle' | 'caption'>

/** A chart of a picture. */
export function chartOf(picture: Picture, styleOf: (line: Line) => number, texts: Texts): ReportChart {
  return { ...texts, alt: altText(picture, texts.title), picture, styles: picture.lines.map(styleOf) }
}

/** The name of the PNG file in a theme: "chart.png", "chart-dark.png". */
export const imageFile = (file: string, theme: Theme): string =>
  theme === 'light' ? file : file.replace(/(\.\w+)?$/, `-${theme}$1`)
