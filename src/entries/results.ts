export { Problem } from '../core/errors.ts'
export { type RowCheck, violatedChecks } from '../results/row-checks.ts'
export {
  missedThresholds,
  thresholdVerdicts,
  unforeseenFailures,
  unforeseenFaults,
  type Verdict,
} from '../metrics/thresholds.ts'
export { type RowChoice, readMetric as valueOf } from '../metrics/value-of.ts'
export { readResult } from '../results/files/results-file.ts'
export type { CheckResult, PhaseResult, Result, VariantResult } from '../results/schema.ts'
export type { OperationResult } from '../results/schema/calls.ts'
export type { Warning } from '../results/schema/warnings.ts'
