import { type Address } from '../../metrics/address.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { judgeFigure } from '../trust/judge.ts'
import { type LimitedTrust, type Line } from './picture.ts'

/** How far the figure of a row can be believed, where something speaks against a comparison. */
export function trustAt(row: Row, address: Pick<Address, 'target'>): { readonly trust?: LimitedTrust } {
  const { level } = judgeFigure(row, address)
  return level === 'comparable' || level === 'unchecked' ? {} : { trust: level }
}

/** Whether a finding may be about the row: points that do not compare are left out of it. */
export const isCompared = (row: Row, address: Pick<Address, 'target'>): boolean =>
  trustAt(row, address).trust !== 'do not compare'

/** Lines for a finding: those of rows that do not compare are empty. */
export const comparedLines = (
  lines: readonly Line[],
  sources: readonly { readonly isCompared: boolean }[],
): readonly Line[] =>
  lines.map((line, index) => (sources[index]?.isCompared === false ? { ...line, points: [] } : line))
