import { findingText } from '../../language/issues.ts'
import { parseThreshold } from '../../language/thresholds.ts'
import { readAddress } from '../../metrics/address.ts'
import { getPlan } from '../plan/search-steps.ts'
import { shapeOfPhase } from '../plan/shape.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { thresholdIssues } from './addresses.ts'
import { type Rule } from './rule.ts'

/** Validates searches under limits: each limit is on a metric of its own phase, and all steps are alike. */
export const findRateRule: Rule = {
  name: 'find-rate',
  reads: ['target'],
  check({ phases, target }, report) {
    for (const [p, phase] of phases.entries()) {
      const { load, measured, faults = [] } = phase
      if (!('holds' in load)) continue
      if (!measured) report(['phases', p, 'measured'], 'a search is there to be measured: leave this out')
      if (faults.length > 0)
        report(['phases', p, 'faults'], 'a search compares its steps, and a fault would be in one of them')
      if (getPlan(load).openSetting !== undefined && target.kind === 'existing')
        report(['phases', p, 'load', 'kind'], 'needs a target that mongo-perf starts, not an existing server')
      for (const [i, limit] of load.holds.entries()) {
        const reason = reasonAgainst(limit, phase)
        if (reason !== undefined) report(['phases', p, 'load', 'holds', i], reason)
      }
    }
  },
}

function reasonAgainst(limit: string, phase: PhaseSpec): string | undefined {
  const shape = shapeOfPhase(phase)
  const [issue] = thresholdIssues(limit, shape)
  if (issue !== undefined) return findingText(issue)
  const address = readAddress(parseThreshold(limit)?.address ?? '', shape)
  return 'reason' in address || address.target?.kind !== 'storage'
    ? undefined
    : `"${address.metric}" is known after the last phase, not after a step: make it a threshold`
}
