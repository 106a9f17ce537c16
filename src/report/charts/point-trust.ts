import { type Address } from '../../metrics/address.ts'
import { type Row } from '../../metrics/rows.ts'
import { judge } from '../trust/judge.ts'
import { type LimitedTrust } from './picture.ts'

/** How far the figure of a row can be believed, where something speaks against a comparison. */
export function trustAt(row: Row, { place }: Address): { readonly trust?: LimitedTrust } {
  const phases = place === null || place.kind === 'check' ? null : new Set([place.phase])
  const { level } = judge(row, phases).trust
  return level === 'comparable' || level === 'unchecked' ? {} : { trust: level }
}
