import { type Address } from '../../metrics/address.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { judgeFigure, type Trust } from '../../metrics/trust/judge.ts'
import { type LimitedTrust, type Line } from './picture.ts'

/** How far a figure can be believed, where something speaks against a comparison. */
export const limitedTrust = ({ level }: Trust): LimitedTrust | undefined =>
  level === 'comparable' || level === 'unchecked' ? undefined : level

/** The same as a mark of a point. */
export function markTrust(given: Trust): { readonly trust?: LimitedTrust } {
  const trust = limitedTrust(given)
  return trust === undefined ? {} : { trust }
}

/** Whether a finding may be about the row: points that do not compare are left out of it. */
export const isCompared = (row: Row, address: Pick<Address, 'target'>): boolean =>
  judgeFigure(row, address).level !== 'do not compare'

/** Lines for a finding: those of rows that do not compare are empty. */
export const comparedLines = (
  lines: readonly Line[],
  sources: readonly { readonly isCompared: boolean }[],
): readonly Line[] =>
  lines.map((line, index) => (sources[index]?.isCompared === false ? { ...line, points: [] } : line))
