import { type Path } from '../json.ts'
import { cellOf, type Evaluator } from './evaluate.ts'
import { readableNumber } from './format.ts'
import { type JudgedRatio } from './ratios.ts'
import { type ReportSpec, type TextLine } from './schema.ts'
import { verdictNames } from './verdict-names.ts'

/** The parts of a report that take `{{name}}`. */
const textParts = ['description', 'analysis', 'keyTakeaways'] as const

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** A name of `let` that a text reads, with its path in the report part. */
export type TextName = {
  readonly name: string
  readonly path: Path
  /** Whether it has to be a ratio. */
  readonly ofRatio: boolean
}

/** The names that all texts of a report read. */
export const textNames = (report: ReportSpec): readonly TextName[] => [
  ...textParts.flatMap((part) => {
    const text = report[part] ?? []
    return typeof text === 'string'
      ? namesOf(text, [part])
      : text.flatMap((line, index) => namesOf(line, [part, index]))
  }),
  ...(report.finding === undefined ? [] : namesOf(report.finding, ['finding'])),
]

function namesOf(line: TextLine, path: Path): readonly TextName[] {
  if (typeof line === 'string') return namesIn(line).map((name) => ({ name, path, ofRatio: false }))
  const texts = [line.text, ...verdictNames.flatMap((verdict) => line[verdict] ?? [])]
  return [
    { name: line.ratio, path: [...path, 'ratio'], ofRatio: true },
    ...texts.flatMap((text) => namesOf(text, path)),
  ]
}

/** The names of the placeholders in a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? [])
}

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
export const ratioNamed = (name: string, { shared }: Evaluator): JudgedRatio | null =>
  shared(name) as JudgedRatio | null

/** What a text has instead of a figure that is unknown. */
export const notMeasured = 'not measured'

function shownValue(value: unknown): string {
  if (isJudgedRatio(value)) return value.text
  const cell = cellOf(value)
  if (cell === null) return notMeasured
  return typeof cell === 'number' ? readableNumber(cell) : cell
}

const isJudgedRatio = (value: unknown): value is JudgedRatio =>
  typeof value === 'object' && value !== null && 'verdict' in value && 'text' in value
