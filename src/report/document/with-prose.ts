import { Problem } from '../../core/errors.ts'
import { isObject, type Path, pathText } from '../../core/json.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { type ReportSpec } from '../../metrics/report-schema.ts'
import { type Result } from '../../results/schema.ts'
import { misfits, shownAs } from '../definition/quick-report.ts'
import { evaluateReport } from '../definition/report-spec.ts'
import { explainFailure } from './assertions.ts'
import { type Prose, type ProsePart } from './prose-file.ts'

/**
 * A result whose report has the texts of a file instead of its own.
 * @throws {Problem} "document-invalid" with the line that names a figure that the result does not have.
 */
export function withProse(result: Result, prose: Prose): Result {
  const { parts, let: own } = prose
  const written = (isObject(result.spec.report) ? result.spec.report : {}) as ReportSpec
  const texts = Object.fromEntries([...parts].map(([part, lines]) => [part, lines.map(({ text }) => text)]))
  const report: ReportSpec = { ...written, let: { ...written.let, ...own }, ...texts }
  for (const { path, reason, nearest: near } of misfits(report, result)) {
    const line = findLine(path, prose)
    if (line !== undefined)
      throw misfit(prose, line, `${path[0] === 'let' ? `${pathText(path)}: ` : ''}${reason}`, near)
  }
  for (const { names, line } of prose.assertions)
    for (const name of names.filter((each) => !Object.hasOwn(report.let ?? {}, each)))
      throw misfit(prose, line, `"let" has no value "${name}"`, nearest(name, Object.keys(report.let ?? {})))
  const shown = shownAs(result, report)
  return parts.has('description') ? { ...shown, spec: { ...shown.spec, description: '' } } : shown
}

const misfit = ({ file }: Prose, line: number, reason: string, near: string | null | undefined): Problem =>
  new Problem('document-invalid', `${file}:${line}: ${reason}${didYouMean(near)}`, {
    hint: 'Figures are values of "let" in the report part of the spec, or in a comment <!-- let: {…} --> of this file.',
  })

/** The line of the file that a path of the report leads to. Undefined: it is not in the file. */
function findLine([part, key]: Path, { parts, letLines }: Prose): number | undefined {
  return part === 'let' ? letLines.get(String(key)) : parts.get(part as ProsePart)?.[Number(key)]?.line
}

/** The sentences of a file that are not true of its result, each as `file:line: why`. */
export function listUntrue(result: Result, prose: Prose): readonly string[] {
  const evaluation = evaluateReport(withProse(result, prose))
  return prose.assertions.flatMap((assertion) => {
    const why = explainFailure(assertion, evaluation)
    return why === null ? [] : [`${prose.file}:${assertion.line}: ${why}`]
  })
}
