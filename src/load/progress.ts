import { type LatencyPart, mergeLatencies, percentileMs } from './measure/latency.ts'
import { type PartSink } from './part-sink.ts'
import { type Pass, type StopAfter } from './plan/plan.ts'

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
  /** Latency of the calls that have succeeded so far. Null before the first. */
  readonly p99Ms: number | null
  /** Calls that failed, or whose outcome is unknown, so far. */
  readonly errors: number
  /** Time left in this pass. Null before anything is known. */
  readonly etaSeconds: number | null
}

/** Units hand their parts over at about the same time: these are one report. */
const minBetweenReportsMs = 200

type PassSoFar = {
  readonly startMs: number
  operations: number
  documents: number
  errors: number
  /** Merged when there is a report. */
  ok: (LatencyPart | undefined)[]
  /** Time and operations at the last report. */
  reportedMs: number
  reportedOperations: number
  ratePerSecond: number
}

/** Reports about once a second, and at the end. */
export function progressSink(report: (progress: Progress) => void): PartSink {
  let soFar: PassSoFar | undefined

  return (part, { phase, pass, stopAfter, startMs, nowMs, isLast }) => {
    if (soFar?.startMs !== startMs)
      soFar = {
        startMs,
        operations: 0,
        documents: 0,
        errors: 0,
        ok: [],
        reportedMs: startMs,
        reportedOperations: 0,
        ratePerSecond: 0,
      }
    soFar.operations += part.calls
    soFar.documents += part.documents
    for (const { calls } of part.operations) {
      const { ok, failed, unknown } = calls.latency
      soFar.ok.push(ok)
      soFar.errors += (failed?.count ?? 0) + (unknown?.count ?? 0)
    }
    const sinceMs = nowMs - soFar.reportedMs
    if (sinceMs < minBetweenReportsMs && !isLast) return
    const { operations, documents, errors } = soFar
    const ok = mergeLatencies(soFar.ok)
    soFar.ok = [ok]
    // Of the last moment alone there is no rate worth showing.
    if (sinceMs >= minBetweenReportsMs || soFar.ratePerSecond === 0)
      soFar.ratePerSecond = ((operations - soFar.reportedOperations) / Math.max(1, sinceMs)) * 1000
    const elapsedMs = nowMs - startMs
    const fraction = computeFraction(stopAfter, { operations, documents, elapsedMs })
    soFar.reportedMs = nowMs
    soFar.reportedOperations = operations
    report({
      phase,
      pass,
      operations,
      documents,
      elapsedMs,
      fraction,
      ratePerSecond: soFar.ratePerSecond,
      p99Ms: ok === undefined ? null : percentileMs(ok, 99),
      errors,
      etaSeconds: fraction > 0 ? (elapsedMs * (1 - fraction)) / fraction / 1000 : null,
    })
  }
}

/** How much of the nearest limit is used up, 0 to 1. */
const computeFraction = (
  { operations = Infinity, documents = Infinity, seconds = Infinity }: StopAfter,
  done: { readonly operations: number; readonly documents: number; readonly elapsedMs: number },
): number =>
  Math.min(1, Math.max(done.operations / operations, done.documents / documents, done.elapsedMs / 1000 / seconds))
