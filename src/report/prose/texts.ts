import { toCell, type Evaluation } from '../../metrics/evaluate.ts'
import { readableNumber } from '../../metrics/format.ts'
import { type JudgedRatio } from '../../metrics/ratios.ts'
import { type ReportSpec, type TextLine } from '../../metrics/report-schema.ts'
import { placeholder } from '../../metrics/text-names.ts'

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
  return line.replaceAll(placeholder, (_, name: string) => shownValue(evaluation.shared(name)))
}

/** A ratio of `let`. Null: not measured. */
export const ratioNamed = (name: string, { shared }: Evaluation): JudgedRatio | null =>
  shared(name) as JudgedRatio | null

/** What a text has instead of a figure that is unknown. */
export const notMeasured = 'not measured'

function shownValue(value: unknown): string {
  if (isJudgedRatio(value)) return value.text
  const cell = toCell(value)
  if (cell === null) return notMeasured
  return typeof cell === 'number' ? readableNumber(cell) : cell
}

const isJudgedRatio = (value: unknown): value is JudgedRatio =>
  typeof value === 'object' && value !== null && 'verdict' in value && 'text' in value
