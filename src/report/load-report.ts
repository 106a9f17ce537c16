import { Issues, issueText } from '../language/issues.ts'
import { guardedKeys } from '../language/values/keys.ts'
import { type ReportSpec } from '../metrics/report-schema.ts'
import { type Result } from '../results/schema.ts'
import { invalid, readSpecFile } from '../spec/load-spec.ts'
import { parseJson } from '../spec/schema/parse-json.ts'
import { readRows } from '../spec/schema/read-rows.ts'
import { misfits } from './quick-report.ts'

/**
 * Loads the report part of a spec, for results of another spec or of an earlier version. The spec is not run, so it needs no
 * permissions.
 * @returns A function that validates the report part against a result and returns it.
 * @throws {Problem} as `loadSpecFile` does, also when the report names something that the result does not have.
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
