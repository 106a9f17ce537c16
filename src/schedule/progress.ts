import { type Outcome } from '../engines/engine.ts'
import { clampUs, createHistogram } from '../measure/histogram.ts'
import { type Pass } from '../plan/plan.ts'
import { type Limits } from './limits.ts'

export type { Pass }

/** How far a pass has come, for people. */
export type Progress = {
  readonly phase: string
  readonly pass: Pass
  /** Answered so far, whatever the outcome. */
  readonly operations: number
  /** Documents that those calls asked for. */
  readonly documents: number
  readonly elapsedMs: number
  /** 0 to 1. */
  readonly fraction: number
  /** Operations per second since the last report. */
  readonly ratePerSecond: number
  /** Of the calls that have succeeded so far. Null before the first. */
  readonly p99Ms: number | null
  /** Calls that failed, or whose outcome is unknown, so far. */
  readonly errors: number
  /** Of this pass. Null before anything can be said. */
  readonly etaSeconds: number | null
}

const betweenReportsMs = 250

/** Reports at most four times a second, when an answer comes in: no timer, and one comparison for all other answers. */
export function createProgress({
  phase,
  pass,
  limits,
  report,
}: {
  readonly phase: string
  readonly pass: Pass
  readonly limits: Limits
  readonly report: (progress: Progress) => void
}): {
  readonly start: (nowMs: number) => void
  readonly answered: (call: { readonly startMs: number; readonly endMs: number; readonly outcome: Outcome }) => void
} {
  const histogram = createHistogram()
  let errors = 0
  let startMs = 0
  let lastMs = 0
  let lastOperations = 0

  function progressAt(nowMs: number): Progress {
    const elapsedMs = nowMs - startMs
    const fraction = limits.fraction(nowMs)
    return {
      phase,
      pass,
      operations: limits.operations(),
      documents: limits.documents(),
      elapsedMs,
      fraction,
      ratePerSecond: ((limits.operations() - lastOperations) / (nowMs - lastMs)) * 1000,
      p99Ms: histogram.totalCount === 0 ? null : histogram.getValueAtPercentile(99) / 1000,
      errors,
      etaSeconds: fraction > 0 ? (elapsedMs * (1 - fraction)) / fraction / 1000 : null,
    }
  }

  return {
    start(nowMs) {
      startMs = nowMs
      lastMs = nowMs
    },
    answered({ startMs: sentMs, endMs: nowMs, outcome: { kind } }) {
      if (kind === 'ok') histogram.recordValue(clampUs(Math.round((nowMs - sentMs) * 1000)))
      else if (kind !== 'aborted') errors += 1
      if (nowMs - lastMs < betweenReportsMs) return
      report(progressAt(nowMs))
      lastMs = nowMs
      lastOperations = limits.operations()
    },
  }
}
