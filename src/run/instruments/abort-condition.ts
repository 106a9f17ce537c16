import { holds, parseThreshold, type Threshold } from '../../language/thresholds.ts'
import { type OperationPart } from '../../load/measure/operation-record.ts'
import { type PhasePart } from '../../load/measure/phase-part.ts'
import { readAddress } from '../../metrics/address.ts'
import { type MetricTarget, type Shape } from '../../metrics/scope.ts'
import { type OpenInstrument } from './instrument.ts'

/** Counts that never fall: once they are beyond a bound, the rest of the phase cannot bring them back. */
const counts: ReadonlyMap<string, (part: OperationPart) => number> = new Map([
  ['errors', ({ calls: { latency } }) => (latency.failed?.count ?? 0) + (latency.unknown?.count ?? 0)],
  ['failed', ({ calls: { latency } }) => latency.failed?.count ?? 0],
  ['unknown', ({ calls: { latency } }) => latency.unknown?.count ?? 0],
  ['missing', ({ missing }) => missing],
])

type AbortCondition = {
  readonly threshold: Threshold
  readonly count: (part: OperationPart) => number
  /** Null: all of the phase. */
  readonly operation: string | null
  total: number
}

type Watched = { readonly name: string; readonly operations: readonly { readonly name: string }[] }

/** Ends a phase as soon as an upper bound on a count of errors or missing documents is passed. */
export const abortCondition: OpenInstrument<Record<never, never>> = async ({ isBeyond, endPhase }) => ({
  take(part, { pass }) {
    if (pass === 'measured' && isBeyond(part)) endPhase()
  },
  contribute: async () => ({}),
})

/** @returns Takes the parts of a phase, and returns whether one of the thresholds can no longer hold. */
export function watchThresholds(
  thresholds: readonly string[],
  { name, operations }: Watched,
  shape: Shape,
): (part: PhasePart) => boolean {
  const conditions = thresholds.flatMap((text) => conditionsFor(text, name, shape))
  return (part) => {
    for (const condition of conditions)
      for (const [i, operation] of part.operations.entries())
        if (condition.operation === null || condition.operation === operations[i]?.name)
          condition.total += condition.count(operation)
    return conditions.some(isPassed)
  }
}

function conditionsFor(text: string, phase: string, shape: Shape): readonly AbortCondition[] {
  const threshold = parseThreshold(text)
  const address = threshold && readAddress(threshold.address, shape)
  if (threshold === undefined || address === undefined || 'reason' in address) return []
  const count = counts.get(address.metric)
  const operation = findOperation(address.target, phase)
  if (count === undefined || operation === undefined || threshold.sign.startsWith('>')) return []
  return [{ threshold, count, operation, total: 0 }]
}

/** The operation that a target counts, or null for all of the phase. Undefined: it counts something else. */
function findOperation(target: MetricTarget | null, wanted: string): string | null | undefined {
  if (target === null || !('phase' in target) || target.phase !== wanted || 'window' in target) return undefined
  if (target.kind === 'phase') return null
  return target.kind === 'operation' ? target.operation : undefined
}

/** A count of exactly this number is still to come while there are fewer. */
const isPassed = ({ threshold, total }: AbortCondition): boolean =>
  threshold.sign === '==' ? total > threshold.limit : !holds(threshold, total)
