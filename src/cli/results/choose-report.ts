import { Problem } from '../../core/errors.ts'
import { quickReport, shownAs } from '../../report/definition/quick-report.ts'
import { type Result } from '../../results/schema.ts'
import { findSpecs } from '../specs/find-specs.ts'

/** Options that replace the report of a result. */
export type OtherReport = { readonly columns?: readonly string[]; readonly spec?: string }

/** Returns a function that gives a result the report to show. */
export async function chooseReport({ columns, spec }: OtherReport): Promise<(result: Result) => Result> {
  if (columns !== undefined) return (result) => shownAs(result, quickReport(result, columns))
  if (spec === undefined) return (result) => result
  const [file = spec, ...others] = await findSpecs(spec)
  if (others.length > 0)
    throw new Problem('usage', `--spec ${spec} is a folder of ${others.length + 1} specs`, {
      hint: 'Name one of them.',
    })
  const { loadReport } = await import('../../report/definition/load-report.ts')
  const reportFor = await loadReport(file)
  return (result) => shownAs(result, reportFor(result))
}
