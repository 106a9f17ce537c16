import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Rule } from './rule.ts'

/** Validates that phases that end by precision have a throughput of their own that can be steady. */
export const precisionRule: Rule = {
  name: 'precision',
  reads: [],
  check({ phases }, report) {
    for (const [p, phase] of phases.entries()) {
      const reason = phase.stopAfter?.precisionPercent === undefined ? undefined : reasonAgainst(phase)
      if (reason !== undefined) report(['phases', p, 'stopAfter', 'precisionPercent'], reason)
    }
  },
}

function reasonAgainst({ load, faults = [] }: PhaseSpec): string | undefined {
  if (load.kind === 'open') return 'the rate of an open loop is planned, so its throughput is no measure: leave it out'
  return faults.length > 0 ? 'throughput during faults has no steady mean: leave it out' : undefined
}
