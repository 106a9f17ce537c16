import { type Path } from '../json.ts'
import { cellOf, type Evaluator } from './evaluate.ts'
import { readableNumber } from './format.ts'
import { type ReportSpec } from './schema.ts'

/** The parts of a report that take `{{name}}`. */
const textParts = ['description', 'analysis', 'keyTakeaways'] as const

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** The lines of all texts of a report, with their paths in the report part. */
export const linesIn = (report: ReportSpec): readonly { readonly line: string; readonly path: Path }[] =>
  textParts.flatMap((part) => {
    const text = report[part] ?? []
    return typeof text === 'string'
      ? [{ line: text, path: [part] }]
      : text.map((line, index) => ({ line, path: [part, index] }))
  })

/** The names of the placeholders in a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? [])
}

/** Replaces the placeholders of a text by values of `let`, so that texts agree with the tables. */
export function filledText(text: ReportSpec['analysis'], evaluator: Evaluator): string {
  const whole = typeof text === 'string' ? text : (text ?? []).join('\n')
  return whole.replaceAll(placeholder, (_, name: string) => {
    const cell = cellOf(evaluator.shared(name))
    if (cell === null) return 'not measured'
    return typeof cell === 'number' ? readableNumber(cell) : cell
  })
}
