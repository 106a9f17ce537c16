import { holds, parseThreshold } from '../language/thresholds.ts'
import { type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type RateStep } from '../results/schema/rate.ts'
import { parseAddress } from './address.ts'
import { measuredCell } from './rows/rows.ts'
import { type Scope, type Shape } from './scope.ts'

/** Judges the limits of a phase by what was measured in it alone. A limit without a figure is missed. */
export function judgeLimits(limits: readonly string[], phase: PhaseResult, shape: Shape): RateStep['limits'] {
  const { variant } = scopeOfPhase(phase)
  const row = { variant, runs: [variant], leftOut: 0, slowRuns: 0, ...ofWholePhase }
  return limits.flatMap((limit) => {
    const threshold = parseThreshold(limit)
    if (threshold === undefined) return []
    const cell = measuredCell(row, parseAddress(threshold.address, shape))
    const measured = typeof cell === 'number' ? cell : null
    return { limit, measured, held: measured !== null && holds(threshold, measured) }
  })
}

const ofWholePhase = { target: null, member: null, fault: null, typicalMachine: null, kind: 'variants' } as const

/** A phase that has just been measured, before its row is known. */
export function scopeOfPhase(phase: PhaseResult): Scope {
  const variant: VariantResult = {
    row: 0,
    run: 1,
    startUp: false,
    attempt: 1,
    excludedBecause: null,
    label: '',
    status: 'done',
    parameters: {},
    facts: {},
    server: null,
    data: [],
    phases: [phase],
    checks: [],
    storage: null,
    sharding: null,
    commands: [],
    warnings: [],
    startedAt: phase.startedAt,
    seconds: phase.wallSeconds,
  }
  return { variant, phase, operations: phase.operations, streams: phase.streams }
}
