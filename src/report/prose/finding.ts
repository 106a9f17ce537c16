import { metricIn } from '../../metrics/address.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { type RatioSpec, ratioIn } from '../../metrics/ratios.ts'
import { type At } from '../../metrics/rows/siblings.ts'
import { filledText, notMeasured, ratioNamed } from './texts.ts'

/** What a report finds out, for the first page of a document. */
export type ReportFinding = {
  /** What is compared. */
  readonly text: string
  /** The name of the compared measure. */
  readonly measure: string
  /** Its ratio with an interval, or why there is none. */
  readonly ratio: string
  /** What limited both rows of the ratio. Empty where that is not measured. */
  readonly limitedBy: string
}

/** The finding of a result. Null if its report names none, or nothing was measured. */
export function computeFinding(evaluation: Evaluation): ReportFinding | null {
  const { result, spec } = evaluation
  const { finding, let: given = {} } = spec
  if (finding === undefined || result.variants.length === 0) return null
  const ratio = ratioIn(given[finding.ratio])
  return {
    text: filledText(finding.text, evaluation),
    measure: ratio === null ? '' : metricIn(ratio.of),
    ratio: ratioNamed(finding.ratio, evaluation)?.text ?? notMeasured,
    limitedBy: ratio === null ? '' : limitsText(ratio, evaluation),
  }
}

/** "disk IOPS (2998 of 3000); in the other row server CPU (97 %)", or "server CPU in both rows". */
function limitsText({ of, at, to }: RatioSpec, { rows, value }: Evaluation): string {
  const [row] = rows('variants')
  const limitOf = (place: At): unknown =>
    row && value({ '@metric': { of: of.replace(/[^.]+$/, 'limitedBy'), at: place } }, row)
  const [limit, other] = [limitOf(at), limitOf(to)]
  if (typeof limit !== 'string') return ''
  if (typeof other !== 'string' || limit === other) return limit
  const kind = withoutFigures(limit)
  return kind === withoutFigures(other) ? `${kind} in both rows` : `${limit}; in the other row ${other}`
}

const withoutFigures = (limit: string): string => limit.replace(/ \(.*/, '')
