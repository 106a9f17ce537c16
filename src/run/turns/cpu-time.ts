import { total } from '../../metrics/columns/from-metrics.ts'
import { callsOf, scopeOf } from '../../metrics/scope.ts'
import { isNumber, ratio, sum } from '../../metrics/statistics.ts'
import { type VariantResult } from '../../results/schema.ts'

/** CPU time in microseconds per operation. Null: unknown. */
export type CpuTime = { readonly client: number | null; readonly server: number | null }

/** CPU time per operation over all measured phases of a run. That of the server is unknown if it is for one of them. */
export function cpuTimeOf(variant: VariantResult): CpuTime {
  const scopes = variant.phases.flatMap(({ name }) => scopeOf(variant, { kind: 'phase', phase: name }) ?? [])
  const operations = sum(scopes.map(callsOf))
  const ofServer = scopes.map((scope) => total(scope, ['processCpuUs']))
  return {
    client: ratio(
      sum(variant.phases.map(({ client, wallSeconds }) => client.cpuPercent * 10_000 * wallSeconds)),
      operations,
    ),
    server: ofServer.every(isNumber) ? ratio(sum(ofServer), operations) : null,
  }
}
