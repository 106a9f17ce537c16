import { readFile } from 'node:fs/promises'
import { isObject, type Json } from '../../core/json.ts'
import { missText, type Verdict } from '../../metrics/thresholds.ts'
import { parseJson } from '../../spec/parse/parse-json.ts'
import { formatAnnotation, pathInRepository } from './check-findings.ts'

/**
 * Formats commands of GitHub's workflows, which show thresholds that did not hold at their lines in the spec: missed ones as errors,
 * those that were not judged as warnings. One without a line, such as one of the command
 * line, is shown at the file; one of a spec that ships, whose file is not in the repository, at the run.
 */
export async function annotateMisses(spec: string, misses: readonly Verdict[], strict = false): Promise<string> {
  if (misses.length === 0) return ''
  const file = pathInRepository(spec)
  const lineOf = file === null ? noLine : await findLines(spec).catch(() => noLine)
  const annotations = misses.map((miss) => {
    const severity = strict || miss.verdict === 'missed' ? 'error' : 'warning'
    const message = `threshold ${miss.verdict}: ${missText(miss)}`
    return formatAnnotation({ severity, file, line: lineOf(miss.threshold), column: null, message, hint: null })
  })
  return `${annotations.join('\n')}\n`
}

/** For a spec that is no JSON, or was changed while it ran. */
const noLine = (): null => null

/** The lines of the thresholds in a spec, as far as it writes them out. */
async function findLines(spec: string): Promise<(threshold: string) => number | null> {
  const { value, locate } = parseJson(await readFile(spec, 'utf8'), spec)
  const written = ((isObject(value) && value['thresholds']) || []) as readonly Json[]
  return (threshold) => {
    const index = written.findIndex((one) => (isObject(one) ? one['holds'] : one) === threshold)
    return index < 0 ? null : locate(['thresholds', index]).line
  }
}
