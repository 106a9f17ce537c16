import { invalid, readSpecFile } from './load-spec.ts'
import { Issues } from './language/issues.ts'
import { issueText } from './validate/addresses.ts'
import { misfits } from './report/quick-report.ts'
import { type ReportSpec } from './report/schema.ts'
import { type Result } from './results/schema.ts'
import { parseJson } from './schema/parse-json.ts'
import { readRows } from './schema/read-rows.ts'
import { guardedKeys } from './values/keys.ts'

/**
 * The report part of a spec, for results that were measured with another one or with an earlier state of it. Nothing of it
 * is run, so it needs no permission.
 * @returns The report part, once it has been checked against a result.
 * @throws {Problem} as `loadSpecFile` does, also when the report names what the result does not have.
 */
export async function loadReport(file: string): Promise<(result: Result) => ReportSpec> {
  const parsed = parseJson(await readSpecFile(file), file)
  const issues = new Issues()
  const [row] = readRows(parsed.value, { allow: guardedKeys }, issues)
  if (row === undefined || issues.found.length > 0) throw invalid(parsed, issues.found)
  const { report } = row.spec
  return (result) => {
    const found = misfits(report, result).map((misfit) => ({
      path: row.source(['report', ...misfit.path]),
      reason: issueText(misfit),
    }))
    if (found.length > 0) throw invalid(parsed, found)
    return report
  }
}
