import { metricIn } from '../metrics/address.ts'
import { createEvaluator, type Evaluator, toCell } from '../metrics/evaluate.ts'
import { readableNumber } from '../metrics/format.ts'
import { type RatioSpec, ratioIn, type JudgedRatio } from '../metrics/ratios.ts'
import { type ReportSpec, type TextLine } from '../metrics/report-schema.ts'
import { listRows } from '../metrics/rows/rows.ts'
import { type At } from '../metrics/rows/siblings.ts'
import { placeholder } from '../metrics/text-names.ts'
import { type Result } from '../results/schema.ts'
import { readReportSpec } from './report-spec.ts'
import { whyNotCompared } from './trust/judge.ts'

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
export function computeFinding(result: Result): ReportFinding | null {
  const { finding, let: given = {} } = readReportSpec(result)
  if (finding === undefined || result.variants.length === 0) return null
  const evaluator = createEvaluator(result, { let: given }, whyNotCompared)
  const ratio = ratioIn(given[finding.ratio])
  return {
    text: filledText(finding.text, evaluator),
    measure: ratio === null ? '' : metricIn(ratio.of),
    ratio: ratioNamed(finding.ratio, evaluator)?.text ?? notMeasured,
    limitedBy: ratio === null ? '' : limitsText(ratio, result, evaluator),
  }
}

/** "disk IOPS (2998 of 3000); in the other row server CPU (97 %)", or "server CPU in both rows". */
function limitsText({ of, at, to }: RatioSpec, result: Result, evaluator: Evaluator): string {
  const [row] = listRows(result, 'variants')
  const limitOf = (place: At): unknown =>
    row && evaluator.value({ '@metric': { of: of.replace(/[^.]+$/, 'limitedBy'), at: place } }, row)
  const [limit, other] = [limitOf(at), limitOf(to)]
  if (typeof limit !== 'string') return ''
  if (typeof other !== 'string' || limit === other) return limit
  const kind = withoutFigures(limit)
  return kind === withoutFigures(other) ? `${kind} in both rows` : `${limit}; in the other row ${other}`
}

const withoutFigures = (limit: string): string => limit.replace(/ \(.*/, '')

/** A text with the figures of its result, so that it agrees with the tables. */
export function filledText(text: ReportSpec['analysis'], evaluator: Evaluator): string {
  const lines: readonly TextLine[] = typeof text === 'string' ? [text] : (text ?? [])
  return lines.map((line) => filledLine(line, evaluator)).join('\n')
}

/** Replaces the placeholders of a line by values of `let`; a line with a ratio states it, and what follows from its verdict. */
function filledLine(line: TextLine, evaluator: Evaluator): string {
  if (typeof line !== 'string') {
    const ratio = ratioNamed(line.ratio, evaluator)
    const further = ratio === null ? undefined : line[ratio.verdict]
    const statement = `${line.text}: ${ratio?.text ?? notMeasured}.`
    return filledLine(further === undefined ? statement : `${statement} ${further}`, evaluator)
  }
  return line.replaceAll(placeholder, (_, name: string) => shownValue(evaluator.shared(name)))
}

/** A ratio of `let`. Null: not measured. */
const ratioNamed = (name: string, { shared }: Evaluator): JudgedRatio | null => shared(name) as JudgedRatio | null

/** What a text has instead of a figure that is unknown. */
const notMeasured = 'not measured'

function shownValue(value: unknown): string {
  if (isJudgedRatio(value)) return value.text
  const cell = toCell(value)
  if (cell === null) return notMeasured
  return typeof cell === 'number' ? readableNumber(cell) : cell
}

const isJudgedRatio = (value: unknown): value is JudgedRatio =>
  typeof value === 'object' && value !== null && 'verdict' in value && 'text' in value
