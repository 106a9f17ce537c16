import { type Line, type Picture } from './picture.ts'
import { barNumber } from './scales.ts'

const mostPoints = 8

/** The chart in words, for those who cannot see it: every value of a small one, the range of a large one. */
export function altText(picture: Picture): string {
  const kind = picture.kind === 'bar' ? 'Bar chart' : 'Line chart'
  const lines = picture.lines.map((line) => lineText(picture, line)).filter((text) => text !== '')
  return `${kind}: ${picture.title}. ${lines.join('; ')}.`
}

function lineText({ x, lines }: Picture, { label, points }: Line): string {
  const known = points.flatMap((point) => (point.y === null ? [] : [{ ...point, y: point.y }]))
  if (known.length === 0) return ''
  const name = lines.length === 1 ? '' : `${label}: `
  const nameOf = (at: number): string => (x.kind === 'category' ? (x.labels[at] ?? '') : String(at))
  if (known.length > mostPoints) {
    const values = known.map(({ y }) => y)
    const ends = `${name}from ${barNumber(Math.min(...values))} to ${barNumber(Math.max(...values))}`
    return [ends, ...known.flatMap((point) => (point.mark === undefined ? [] : `${point.mark} at ${nameOf(point.x)}`))].join(
      ', ',
    )
  }
  const marked = (mark: string | undefined): string => (mark === undefined ? '' : ` (${mark})`)
  return name + known.map((point) => `${nameOf(point.x)} → ${barNumber(point.y)}${marked(point.mark)}`).join(', ')
}
