import { metricIn } from '../../metrics/address.ts'
import { type Evaluation, toCell } from '../../metrics/evaluate.ts'
import { readableNumber } from '../../metrics/format.ts'
import { type RatioSpec, ratioIn, type JudgedRatio } from '../../metrics/ratios.ts'
import { type ReportSpec, type TextLine } from '../../metrics/report-schema.ts'
import { type At } from '../../metrics/rows/siblings.ts'
import { placeholder } from '../../metrics/text-names.ts'
import { besidePublished } from '../published/ratio.ts'

/** Finding of a report, for the first page of a document. */
export type ReportFinding = {
  /** Subject of the comparison. */
  readonly text: string
  /** The name of the compared measure. Empty where single windows are compared, which no chart shows alone. */
  readonly measure: string
  /** Its ratio with an interval, or why there is none. */
  readonly ratio: string
  /** Limit of both rows of the ratio. Empty where that is not measured. */
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
    measure: ratio === null || ratio.of.includes('@') ? '' : metricIn(ratio.of),
    ratio: ratioNamed(finding.ratio, evaluation)?.text ?? notMeasured,
    limitedBy: ratio === null ? '' : limitsText(ratio, evaluation),
  }
}

/** "disk IOPS (2998 of 3000); in the other row server CPU (97 %)", or "server CPU in both rows". */
function limitsText({ of, at, to }: RatioSpec, { rows, value }: Evaluation): string {
  const [row] = rows('variants')
  // A single window has no limit: its phase has the figures of the answer.
  const limitedBy = `${of.slice(0, -metricIn(of).length).replace(/@.*(?=\.$)/, '')}limitedBy`
  const limitOf = (place: At): unknown => row && value({ '@metric': { of: limitedBy, at: place } }, row)
  const [limit, other] = [limitOf(at), limitOf(to)]
  if (typeof limit !== 'string') return ''
  if (typeof other !== 'string' || limit === other) return limit
  const kind = withoutFigures(limit)
  return kind === withoutFigures(other) ? `${kind} in both rows` : `${limit}; in the other row ${other}`
}

const withoutFigures = (limit: string): string => limit.replace(/ \(.*/, '')

/** A text with the figures of its result, so that it agrees with the tables. */
export function filledText(text: ReportSpec['analysis'], evaluation: Evaluation): string {
  const lines: readonly TextLine[] = typeof text === 'string' ? [text] : (text ?? [])
  return lines.map((line) => filledLine(line, evaluation)).join('\n')
}

/** Replaces the placeholders of a line by values of `let`; a line with a ratio states it, and what follows from its verdict. */
function filledLine(line: TextLine, evaluation: Evaluation): string {
  if (typeof line !== 'string') {
    const ratio = ratioNamed(line.ratio, evaluation)
    const further = ratio === null ? undefined : line[ratio.verdict]
    const statement = `${line.text}: ${ratio?.text ?? notMeasured}.`
    return filledLine(further === undefined ? statement : `${statement} ${further}`, evaluation)
  }
  return line.replaceAll(placeholder, (_, name: string, published?: string) => {
    const value = evaluation.shared(name)
    if (published === undefined || !isJudgedRatio(value)) return shownValue(value)
    return besidePublished(name, value, evaluation)?.text ?? 'nothing was published of it'
  })
}

/** A ratio of `let`. Null: not measured. */
const ratioNamed = (name: string, { shared }: Evaluation): JudgedRatio | null => shared(name) as JudgedRatio | null

/** Text in place of a figure that is unknown. */
const notMeasured = 'not measured'

function shownValue(value: unknown): string {
  if (isJudgedRatio(value)) return value.text
  const cell = toCell(value)
  if (cell === null) return notMeasured
  return typeof cell === 'number' ? readableNumber(cell) : cell
}

/** Whether a value of `let` is a ratio with its verdict. */
export const isJudgedRatio = (value: unknown): value is JudgedRatio =>
  typeof value === 'object' && value !== null && 'verdict' in value && 'text' in value
