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
  const known = points.flatMap(({ x: at, y, mark }) => (y === null ? [] : [{ at, y, mark }]))
  if (known.length === 0) return ''
  const name = lines.length === 1 ? '' : `${label}: `
  const nameOf = (at: number): string => (x.kind === 'category' ? (x.labels[at] ?? '') : String(at))
  if (known.length > mostPoints) {
    const values = known.map(({ y }) => y)
    const standingOut = known.flatMap(({ at, mark }) => (mark === undefined ? [] : `, ${mark} at ${nameOf(at)}`))
    return `${name}from ${barNumber(Math.min(...values))} to ${barNumber(Math.max(...values))}${standingOut.join('')}`
  }
  return name + known.map(({ at, y, mark }) => `${nameOf(at)} → ${barNumber(y)}${inBrackets(mark)}`).join(', ')
}

const inBrackets = (mark = ''): string => (mark === '' ? '' : ` (${mark})`)
