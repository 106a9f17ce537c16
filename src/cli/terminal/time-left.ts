import { type RunEvent } from '../../run/progress.ts'

/** The time left for a line of progress: "~2 min", or ">2 min" if other specs follow. */
export type TimeLeft = (event: RunEvent) => string | null

/**
 * Estimates how long the rest of a run takes, by the mean of the rows that have ended, server starts and loads included.
 * Null while none has ended.
 * @param specsAfter Specs that follow in the same run.
 */
export function createTimeLeft(now: () => number, specsAfter: number): TimeLeft {
  let rowBeganMs = now()
  let ended = 0
  let endedMs = 0
  return (event) => {
    const { number, of } = event.at
    const nowMs = now()
    const isOver = event.kind === 'row' || event.kind === 'skipped'
    if (event.kind === 'row') {
      ended += 1
      endedMs += nowMs - rowBeganMs
    }
    if (isOver) rowBeganMs = nowMs
    if (ended === 0) return null
    const meanMs = endedMs / ended
    const passMs = event.kind === 'phase' ? (event.progress.etaSeconds ?? 0) * 1000 : 0
    const thisRowMs = isOver ? 0 : Math.max(passMs, meanMs - (nowMs - rowBeganMs))
    const seconds = (thisRowMs + meanMs * (of - number)) / 1000
    return seconds === 0 ? null : `${specsAfter > 0 ? '>' : '~'}${durationText(seconds)}`
  }
}

/** A duration as text, in the unit that needs at most three digits. */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
