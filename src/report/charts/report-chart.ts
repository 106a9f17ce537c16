import { formatNumber } from '../../core/quantities.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { type Theme } from './drawing/look.ts'
import { separateStyles } from './drawing/palette.ts'
import { bandsText, seconds } from './faults.ts'
import { isDotted, type Line, type Picture, type Strip } from './picture.ts'
import { barNumber } from './scales.ts'

/** A chart as serializable data: `drawingOf` lays it out for Chart.js, `drawChart` makes a PNG of it. */
export type ReportChart = {
  /** Name of the PNG file in light colours. */
  readonly file: string
  /** Finding that it shows, with the figure that matters. */
  readonly title: string
  /** Summary of what was measured, and where. */
  readonly subtitle: string
  /** Note on what it leaves out, and how it was measured. */
  readonly caption: string
  /** The chart as text. */
  readonly alt: string
  readonly picture: Picture
  /** The number of the style of each line; the same key has the same colour in all charts of a report. */
  readonly styles: readonly number[]
}

type Texts = Pick<ReportChart, 'file' | 'title' | 'subtitle' | 'caption'>

export function createChart(picture: Picture, styleOf: (line: Line) => number, texts: Texts): ReportChart {
  return { ...texts, alt: altText(picture, texts.title), picture, styles: separateStyles(picture.lines.map(styleOf)) }
}

/** The name of the PNG file in a theme: "chart.png", "chart-dark.png". */
export const imageFile = (file: string, theme: Theme): string =>
  theme === 'light' ? file : file.replace(/(\.\w+)?$/, `-${theme}$1`)

const maxPoints = 8

/**
 * The chart as text, for screen readers: every value of a small one, the range of a large one.
 * @param title With its figures.
 */
function altText(picture: Picture, title: string): string {
  const lines = picture.lines.map((line) => lineText(picture, line)).filter((text) => text !== '')
  const sentences = [
    `${describeChartKind(picture)}: ${title}. ${lines.join('; ')}.`,
    picture.legend === undefined || picture.legend === '' ? '' : `${picture.legend}.`,
    picture.warmup === undefined ? '' : `Before it, a warm-up of ${seconds(picture.warmup)} s.`,
    ...(picture.bands === undefined ? [] : [`Faults: ${bandsText(picture.bands, maxPoints)}.`]),
    ...(picture.strips ?? []).map(stripText),
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

export function describeChartKind(picture: Picture): string {
  if (picture.kind === 'line') return 'Line chart'
  if (picture.kind === 'points') return 'Scatter chart'
  return picture.lines.every((line) => isDotted(picture, line)) ? 'Dot chart' : 'Bar chart'
}

function lineText({ kind, x, lines }: Picture, { label, points }: Line): string {
  const known = points.flatMap(({ x: at, y, mark, name: given }) => (y === null ? [] : [{ at, y, mark, given }]))
  if (known.length === 0) return ''
  const name = lines.length === 1 ? '' : `${label}: `
  if (kind === 'points')
    return name + known.map(({ given, at, y }) => `${given} ${barNumber(at)} → ${barNumber(y)}`).join(', ')
  const nameOf = (at: number): string => (x.kind === 'category' ? (x.labels[at] ?? '') : placeNumber(at))
  if (known.length > maxPoints) {
    const { min, max } = computeRange(known.map(({ y }) => y))
    const standingOut = known.flatMap(({ at, mark }) => (mark === undefined ? [] : `, ${mark} at ${nameOf(at)}`))
    return `${name}from ${barNumber(min)} to ${barNumber(max)}${standingOut.join('')}`
  }
  return name + known.map(({ at, y, mark }) => `${nameOf(at)} → ${barNumber(y)}${inBrackets(mark)}`).join(', ')
}

/** The primaries with their times. Times without a primary are left out. */
function stripText({ title, segments }: Strip): string {
  const held = segments.map(({ label, from, to }) => `${label} from ${seconds(from)} to ${seconds(to)} s`)
  return held.length === 0 || held.length > maxPoints ? '' : `${title}: ${held.join(', ')}.`
}

/** Times keep their milliseconds. */
const placeNumber = (at: number): string =>
  Math.abs(at) >= 1000 ? barNumber(at) : formatNumber(at, { maximumSignificantDigits: 6 })

const inBrackets = (mark = ''): string => (mark === '' ? '' : ` (${mark})`)
