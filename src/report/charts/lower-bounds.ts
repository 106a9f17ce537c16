import { type Address } from '../../metrics/address.ts'
import { type Row } from '../../metrics/rows.ts'
import { judge } from '../trust/judge.ts'

/** Whether the figures of a row are lower bounds for the server, because the client was the bottleneck. */
export function isLowerBound(row: Row, { place }: Address): boolean {
  const phases = place === null || place.kind === 'check' ? null : new Set([place.phase])
  return judge(row, phases).trust.level === 'lower bound'
}
