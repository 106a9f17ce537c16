import { Problem } from '../../core/errors.ts'
import { groupDigits } from '../../core/quantities.ts'
import { parseThreshold } from '../../language/thresholds.ts'
import { withChance } from '../../load/plan/arrival-times.ts'
import { readAddress } from '../../metrics/address.ts'
import { samplesNeeded } from '../../metrics/latency.ts'
import { type MetricTarget } from '../../metrics/scope.ts'
import { sum } from '../../metrics/statistics.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { getOperationName } from '../../spec/operations/index.ts'
import { computeMaxCalls } from '../../spec/plan/compile-load.ts'
import { calledIn } from '../../spec/plan/phase-operations.ts'
import { shapeOfSpec } from '../../spec/plan/shape.ts'
import { type Spec } from '../../spec/schema/schema.ts'

/**
 * Refuses thresholds on percentiles for which the spec plans too few samples: they would be missed however fast the server is.
 * @param times Runs of every row. Default: as the spec has it.
 * @throws {Problem} "usage" with all of them.
 */
export function checkThresholdSamples(
  { name, rows, repeat, overrides }: Pick<LoadedSpec, 'name' | 'rows' | 'repeat' | 'overrides'>,
  times: number = repeat.times,
): void {
  const issues = rows.flatMap(({ spec }) => {
    const shape = shapeOfSpec(spec, overrides.columns)
    return spec.thresholds.flatMap(({ holds }) => {
      const address = readAddress(parseThreshold(holds)?.address ?? '', shape)
      if ('reason' in address || !('value' in address.column) || address.column.percentile === undefined) return []
      const needed = samplesNeeded(address.column.percentile.share)
      const planned = Math.floor((times - repeat.startUpRuns) * maxSamplesAt(address.target, spec))
      return planned < needed
        ? `${name}: the threshold "${holds}" needs ${groupDigits(needed)} samples, and a row has at most ${groupDigits(planned)}, so it would be missed at any throughput`
        : []
    })
  })
  if (issues.length > 0)
    throw new Problem('usage', [...new Set(issues)].join('\n'), {
      hint: 'Measure longer, run every row several times with --repeat, or take a percentile that needs fewer samples, such as p95.',
    })
}

/** The most samples of an operation by its weight, with more than chance adds. Events of a change stream are not planned. */
function maxSamplesAt(target: MetricTarget | null, { phases }: Spec): number {
  if (target === null || !('phase' in target) || target.kind === 'stream') return Infinity
  const phase = phases.find(({ name }) => name === target.phase)
  if (phase === undefined) return Infinity
  const calls = computeMaxCalls(phase)
  const called = calledIn(phase).map(({ spec }) => spec)
  const operation = 'operation' in target ? called.find((one) => getOperationName(one) === target.operation) : undefined
  if (operation === undefined || operation.share !== undefined || calls === Infinity) return calls
  return Math.min(calls, withChance((calls * operation.weight) / sum(called.map(({ weight }) => weight))))
}
