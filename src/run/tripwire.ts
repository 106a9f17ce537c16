import { isAnswered, type Outcome } from '../engines/engine.ts'
import { type OperationPlan, type PhasePlan, type PlannedCall } from '../plan/plan.ts'
import { readAddress } from '../report/address.ts'
import { type Shape } from '../report/scope.ts'
import { holds, parseThreshold, type Threshold } from '../language/thresholds.ts'

/** Counts that never fall: once they are beyond a bound, the rest of the phase cannot mend it. */
type Count = (outcome: Outcome, operation: OperationPlan) => number

const counts: Readonly<Record<string, Count>> = {
  errors: (outcome) => (isAnswered(outcome) ? 0 : 1),
  failed: ({ kind }) => (kind === 'failed' ? 1 : 0),
  unknown: ({ kind }) => (kind === 'unknown' ? 1 : 0),
  missing: ({ kind, reply }, operation) =>
    kind === 'ok' && 'expectDocuments' in operation && operation.expectDocuments !== undefined
      ? Math.max(0, operation.expectDocuments - reply.documents)
      : 0,
}

type Wire = {
  readonly threshold: Threshold
  readonly count: Count
  /** Null: all of the phase. */
  readonly operation: string | null
  total: number
}

export type Tripwire = {
  /** Aborted when a threshold can no longer hold. */
  readonly signal: AbortSignal
  readonly record: (call: PlannedCall, outcome: Outcome) => void
}

/** Ends a phase as soon as an upper bound on a count of errors or missing documents is passed. */
export function createTripwire(
  thresholds: readonly string[],
  { name, operations }: Pick<PhasePlan, 'name' | 'operations'>,
  shape: Shape,
): Tripwire {
  const tripped = new AbortController()
  const wires = thresholds.flatMap((text) => wireFor(text, name, shape))
  return {
    signal: tripped.signal,
    record(call, outcome) {
      const operation = operations[call.operation]
      if (operation === undefined) return
      for (const wire of wires) {
        if (wire.operation !== null && wire.operation !== operation.name) continue
        wire.total += wire.count(outcome, operation)
        if (isBeyond(wire)) tripped.abort()
      }
    },
  }
}

function wireFor(text: string, phase: string, shape: Shape): readonly Wire[] {
  const threshold = parseThreshold(text)
  const address = threshold === undefined ? undefined : readAddress(threshold.address, shape)
  if (threshold === undefined || address === undefined || 'reason' in address) return []
  const { measure, place } = address
  const count = counts[measure]
  if (count === undefined || threshold.sign.startsWith('>')) return []
  if (place === null || place.kind === 'check' || place.phase !== phase) return []
  if (place.kind === 'phase') return [{ threshold, count, operation: null, total: 0 }]
  return place.kind === 'operation' ? [{ threshold, count, operation: place.operation, total: 0 }] : []
}

/** A count of exactly so many is still to come while there are fewer. */
const isBeyond = ({ threshold, total }: Wire): boolean =>
  threshold.sign === '==' ? total > threshold.limit : !holds(threshold, total)
