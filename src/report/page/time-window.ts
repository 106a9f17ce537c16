import { type SharedScales, sharedScales } from './shared-scales.ts'

export type Range = { readonly from: number; readonly to: number }

/** State that linked panels share: the part of the time that they show, the second that the reader looks at, and their scales. */
export type TimeWindow = {
  readonly scales: SharedScales
  readonly range: () => Range
  /** Null: none. */
  readonly at: () => number | null
  readonly zoomTo: (range: Range) => void
  readonly zoomBy: (factor: number) => void
  /** Moves by a part of what is shown. */
  readonly moveBy: (share: number) => void
  readonly showAll: () => void
  readonly lookAt: (second: number | null) => void
  /** Makes a longer time line fit. */
  readonly extendTo: (end: number) => void
  readonly onChange: (listener: (what: 'range' | 'second') => void) => void
}

/** Shortest time that may be shown, in seconds. */
const minLength = 2

/** A window on the seconds from 0. */
export function timeWindow(): TimeWindow {
  const listeners: ((what: 'range' | 'second') => void)[] = []
  let end = minLength
  let range: Range = { from: 0, to: end }
  let at: number | null = null
  const changed = (what: 'range' | 'second'): void => listeners.forEach((listener) => listener(what))
  const zoomTo = ({ from, to }: Range): void => {
    const length = Math.min(end, Math.max(minLength, to - from))
    const begin = Math.min(Math.max(0, from), end - length)
    range = { from: begin, to: begin + length }
    changed('range')
  }
  const length = (): number => range.to - range.from
  return {
    scales: sharedScales(),
    range: () => range,
    at: () => at,
    zoomTo,
    zoomBy: (factor) => {
      const middle = at ?? (range.from + range.to) / 2
      const half = (length() * factor) / 2
      zoomTo({ from: middle - half, to: middle + half })
    },
    moveBy: (share) => zoomTo({ from: range.from + length() * share, to: range.to + length() * share }),
    showAll: () => zoomTo({ from: 0, to: end }),
    lookAt: (second) => {
      at = second
      changed('second')
    },
    extendTo: (other) => {
      const showedAll = range.from === 0 && range.to === end
      end = Math.max(end, other)
      zoomTo(showedAll ? { from: 0, to: end } : range)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
