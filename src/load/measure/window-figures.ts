import { type LatencySummary } from '../../results/schema/latency.ts'
import { type LatencyPart, mergeLatencies, toLatency } from './latency.ts'
import { type PhasePart } from './phase-part.ts'

type Figures = { readonly ok: number; readonly errors: number; readonly latency: LatencySummary | null }

/** Counts and times the calls of a window: of an open loop from when they were due. */
export class WindowFigures {
  readonly #ok: (LatencyPart | undefined)[] = []
  #errors = 0

  add({ operations }: PhasePart): void {
    for (const { calls, planTimes } of operations) {
      const { ok, failed, unknown } = calls.latency
      this.#ok.push(...(planTimes === undefined ? [ok] : planTimes.seconds.map((second) => second.ok)))
      this.#errors += (failed?.count ?? 0) + (unknown?.count ?? 0)
    }
  }

  total(): Figures {
    const latency = mergeLatencies(this.#ok)
    return { ok: latency?.count ?? 0, errors: this.#errors, latency: latency ? summarize(latency) : null }
  }
}

/** Each window keeps its percentiles; the histograms of all of them together are those of the phase. */
function summarize(part: LatencyPart): LatencySummary {
  const { clamped: _, histogram: __, ...summary } = toLatency(part)
  return summary
}
