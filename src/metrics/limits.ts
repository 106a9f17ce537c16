import { holds, parseThreshold } from '../language/thresholds.ts'
import { type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type WindowResult } from '../results/schema/windows.ts'
import { parseAddress } from './address.ts'
import { measuredCell } from './rows/rows.ts'
import { type Scope, type Shape } from './scope.ts'

/** Judges limits by what was measured in one phase alone. A limit without a figure is missed. */
export function judgeLimits(limits: readonly string[], { variant }: Scope, shape: Shape): WindowResult['limits'] {
  const row = { variant, runs: [variant], leftOut: 0, ...ofWholePhase }
  return limits.flatMap((limit) => {
    const threshold = parseThreshold(limit)
    if (threshold === undefined) return []
    const cell = measuredCell(row, parseAddress(threshold.address, shape))
    const measured = typeof cell === 'number' ? cell : null
    return { limit, measured, held: measured !== null && holds(threshold, measured) }
  })
}

const ofWholePhase = { target: null, member: null, fault: null, typicalMachine: null, kind: 'variants' } as const

/** Makes the scope of a phase that has just been measured, before its row is complete. */
export function createPhaseScope(phase: PhaseResult, server: VariantResult['server']): Scope {
  const variant: VariantResult = {
    row: 0,
    run: 1,
    startUp: false,
    label: '',
    status: 'done',
    parameters: {},
    facts: {},
    server,
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
