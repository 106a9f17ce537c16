import { computeAvailability } from '../../load/measure/availability.ts'
import { type FaultImpact, faultImpacts, type ActiveFault } from '../../load/measure/fault-impact.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type FaultFindings, prepareFaults } from '../../servers/faults/injection/run-faults.ts'
import { redactQuote } from '../../servers/targets/connection/redact.ts'
import { type OpenInstrument } from './instrument.ts'

/** Does the faults of the phase, and finds what they have cost. Whatever happens, what was done to the servers is undone. */
export const faults: OpenInstrument<Pick<PhaseResult, 'faults' | 'elections' | 'availability'>> = async (
  { phase, signal },
  { spec: { seed }, target, clock, secrets, at, emit },
) => {
  const activeFaults: ActiveFault[] = []
  const run = await prepareFaults({
    phase: phase.name,
    specs: phase.faults,
    seed,
    lastSecond: phase.stopAfter.seconds ?? Infinity,
    target,
    clock,
    signal,
    onBegin: (fault, beganMs) => void activeFaults.push({ fault, beganMs }),
    onNews(news) {
      const error = news.error === null ? null : redactQuote(news.error, secrets)
      emit({ kind: 'fault', at, news: { ...news, error } })
    },
  })
  let findings: FaultFindings = { faults: [], elections: null }
  let impacts: readonly FaultImpact[] = []
  return {
    start: run.start,
    async close(window) {
      findings = await run.finish()
      const { availability, startMs, endMs } = window.run
      impacts = faultImpacts(availability, activeFaults, { startMs, endMs })
    },
    contribute: async () => ({ ...findings, availability: computeAvailability(impacts, findings) }),
    release: async () => void (await run.finish()),
  }
}
