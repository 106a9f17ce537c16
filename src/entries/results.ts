import { withHints } from '../core/errors.ts'
import { readMetric } from '../metrics/value-of.ts'
import { readResult as readFile } from '../results/files/results-file.ts'

/**
 * Reads a result of this version of the format.
 * @throws {Problem} "result-unreadable".
 */
export const readResult: typeof readFile = withHints(readFile)

/**
 * One figure of a result, by the address that columns and thresholds use: the runs of a row together, as tables show them.
 * @param address Such as "p99Ms" or "mix.findOne.p99Ms".
 * @param row Which row. May be left out where there is only one.
 * @returns Null where nothing was measured.
 * @throws {Problem} "usage" when there is no such figure or row, or several.
 */
const readValue: typeof readMetric = withHints(readMetric)
export { readValue as valueOf }

export { Problem } from '../core/errors.ts'
export { type RowCheck, violatedChecks } from '../results/row-checks.ts'
export {
  missedThresholds,
  thresholdVerdicts,
  unforeseenFailures,
  unforeseenFaults,
  type Verdict,
} from '../metrics/thresholds.ts'
export type { RowChoice } from '../metrics/value-of.ts'
export type { CheckResult, PhaseResult, Result, VariantResult } from '../results/schema.ts'
export type { OperationResult } from '../results/schema/calls.ts'
export type { Warning } from '../results/schema/warnings.ts'
