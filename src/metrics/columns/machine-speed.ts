import { type PhaseResult, type VariantResult } from '../../results/schema.ts'
import { isNumber, median, ratio } from '../statistics.ts'

/** Speed of the client's machine around a window: the mean of before and after. Null: not measured. */
export const speedAround = ({ machineSpeed }: PhaseResult): number | null =>
  machineSpeed && (machineSpeed.before + machineSpeed.after) / 2

/**
 * The median of the speed of the machine around all windows of all runs of all rows: they ran the same kernel. Not the fastest one, because
 * machines have short fast states too: on one of them 16 of 24 runs were 11 to 31 % slower than in the fastest. Null: not measured.
 */
export function typicalMachine({ variants }: { readonly variants: readonly VariantResult[] }): number | null {
  const speeds = variants.flatMap(({ phases }) => phases.map(speedAround)).filter(isNumber)
  return median(speeds)
}

/** Speed of the machine around a window, in percent of the median of the result. Null: not measured. */
export function percentOfTypical(phase: PhaseResult, typical: number | null): number | null {
  const share = ratio(speedAround(phase), typical)
  return share === null ? null : share * 100
}

/** A machine that is slower than this share of its own median makes rows differ that do not. */
export const slowBelowPercent = 90
