export { Problem } from '../errors.ts'
export { type RowCheck, violatedChecks } from '../report/checks.ts'
export {
  missedThresholds,
  thresholdVerdicts,
  unforeseenFailures,
  unforeseenFaults,
  type Verdict,
} from '../metrics/thresholds.ts'
export { type RowChoice, valueOf } from '../metrics/value-of.ts'
export { readResult } from './results-file.ts'
export type { CheckResult, PhaseResult, Result, VariantResult } from './schema.ts'
export type { OperationResult } from './schema/calls.ts'
export type { Warning } from './schema/warnings.ts'
