import { type Row, listRows } from '../metrics/rows/rows.ts'
import { thresholdVerdicts, valueText } from '../metrics/thresholds.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { type ThresholdSpec } from '../spec/schema/threshold-schema.ts'

/** The code of a run that was ended by a threshold, and not by its user. */
export const endedByThreshold = 'threshold-missed'

/**
 * Why a run is to end after this row, as a warning of the result: a threshold with `abort` that the runs of the row, so
 * far, have missed. Null when it goes on.
 */
export function reasonToEnd(
  result: Result,
  { row, run, startUp, status }: VariantResult,
  thresholds: readonly ThresholdSpec[],
): Warning | null {
  if (startUp) return null
  // A run that was cut short is not among those that count, and is what has to be judged.
  const rows = listRows(result, status === 'done' ? 'variants' : 'runs')
  const isJudged = ({ variant }: Row): boolean => variant.row === row && (status === 'done' || variant.run === run)
  const ofRow = rows.filter(isJudged)
  const aborting = thresholds.filter(({ abort }) => abort).map(({ holds }) => holds)
  const missed = thresholdVerdicts(result, aborting, ofRow).find(({ verdict }) => verdict === 'missed')
  if (missed === undefined) return null
  const where = missed.label === '' ? '' : ` in row "${missed.label}"`
  return {
    code: endedByThreshold,
    message: `The run ended early: the threshold "${missed.threshold}" was missed${where}: ${valueText(missed)}`,
    advice: 'Rows after it were not run',
  }
}
