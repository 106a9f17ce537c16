import { type Result } from '../results/schema.ts'
import { createEvaluator } from './evaluate.ts'
import { reportSpecOf } from './report-spec.ts'
import { filledText, notMeasured, ratioNamed } from './texts.ts'

/** What a report finds out, for the first page of a document. */
export type ReportFinding = {
  /** What is compared. */
  readonly text: string
  /** Its ratio with an interval, or why there is none. */
  readonly ratio: string
}

/** The finding of a result. Null if its report names none, or nothing was measured. */
export function findingOf(result: Result): ReportFinding | null {
  const { finding, let: given } = reportSpecOf(result)
  if (finding === undefined || result.variants.length === 0) return null
  const evaluator = createEvaluator(result, { let: given })
  return {
    text: filledText(finding.text, evaluator),
    ratio: ratioNamed(finding.ratio, evaluator)?.text ?? notMeasured,
  }
}
