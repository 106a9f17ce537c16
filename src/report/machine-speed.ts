import { type PhaseResult, type VariantResult } from '../results/schema.ts'
import { isNumber, ratio } from './statistics.ts'

/** Speed of the client's machine around a window: the mean of before and after. Null: not measured. */
export const speedAround = ({ machineSpeed }: PhaseResult): number | null =>
  machineSpeed && (machineSpeed.before + machineSpeed.after) / 2

/** Speed of the machine around the fastest window of all runs of all rows: they ran the same kernel. Null: not measured. */
export function fastestMachine({ variants }: { readonly variants: readonly VariantResult[] }): number | null {
  const speeds = variants.flatMap(({ phases }) => phases.map(speedAround)).filter(isNumber)
  return speeds.length === 0 ? null : speeds.reduce((fastest, speed) => Math.max(fastest, speed))
}

/** Speed of the machine around a window, in percent of the fastest one of the result. Null: not measured. */
export function percentOfFastest(phase: PhaseResult, fastest: number | null): number | null {
  const share = ratio(speedAround(phase), fastest)
  return share === null ? null : share * 100
}

/** A machine that is slower than this share of its own fastest makes rows differ that do not. */
export const slowBelowPercent = 90

/** Speed of the machine around the slowest of several windows, in percent of the fastest one of the result. Null: not measured. */
export function slowestPercent(phases: readonly PhaseResult[], fastest: number | null): number | null {
  const known = phases.map((phase) => percentOfFastest(phase, fastest)).filter(isNumber)
  return known.length === 0 ? null : Math.min(...known)
}
