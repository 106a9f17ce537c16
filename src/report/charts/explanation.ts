import { type Address } from '../../metrics/address.ts'
import { type RunRange } from '../../metrics/format.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { judgeFigure, type Trust } from '../../metrics/trust/judge.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { type LimitedTrust, type Line } from './picture.ts'

/** Evidence that a point or bar of a chart was made of. */
export type Evidence = {
  /** Number of runs whose values it stands for. */
  readonly runs: number
  readonly range: RunRange | null
  /** Absent: it compares with others. */
  readonly trust?: LimitedTrust | undefined
}

type Drawn = 'Bars' | 'Points'

/**
 * Explains the points of a chart, its whiskers, and why some are hollow or crossed out: "Points: 6 runs together; whiskers: 95 % intervals of
 * their mean".
 * @param isThroughput Whether higher values are better: only then they are lower bounds themselves.
 */
export function explainPoints(drawn: Drawn, evidence: readonly Evidence[], isThroughput: boolean): string {
  const ranges = evidence.map(({ range }) => range)
  return [pointsText(drawn, evidence), whiskersText(ranges), ...trustTexts(evidence, isThroughput)]
    .filter((text) => text !== '')
    .join('; ')
}

function pointsText(drawn: Drawn, evidence: readonly Evidence[]): string {
  const { min, max } = computeRange(evidence.map(({ runs }) => runs))
  if (evidence.length === 0 || max <= 1) return `${drawn}: one run each`
  return `${drawn}: ${min === max ? max : `${Math.max(1, min)} to ${max}`} runs together`
}

const whiskers = {
  interval: '95 % intervals of the mean',
  ends: 'lowest to highest run',
} as const satisfies Readonly<Record<RunRange['kind'], string>>

/** Explains the whiskers of a chart. Empty if it has none. */
export function whiskersText(ranges: readonly (RunRange | null)[]): string {
  const [interval, ends] = (['interval', 'ends'] as const).map((kind) => ranges.some((range) => range?.kind === kind))
  if (interval === true && ends === true) {
    return `whiskers: ${whiskers.interval} from ${minRounds} runs on, else ${whiskers.ends}`
  }
  return interval === true ? `whiskers: ${whiskers.interval}` : ends === true ? `whiskers: ${whiskers.ends}` : ''
}

/** Why points are hollow, or hollow with a cross. Empty: none is. */
export function trustTexts(points: readonly Pick<Evidence, 'trust'>[], isThroughput: boolean): readonly string[] {
  const has = (level: LimitedTrust): boolean => points.some(({ trust }) => trust === level)
  const bounds = isThroughput ? 'hollow: lower bounds' : 'hollow: where the throughput is a lower bound'
  return [...(has('lower bound') ? [bounds] : []), ...(has('do not compare') ? ['crossed out: do not compare'] : [])]
}

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
