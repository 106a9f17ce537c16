import { dirname, join, resolve } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { quickReport, shownAs } from '../../report/quick-report.ts'
import { readResult } from '../../results/results-file.ts'
import { type Result } from '../../results/schema.ts'
import { findSpecs } from '../specs/find-specs.ts'

/** A result, and where its report goes. */
export type GatheredResult = { readonly file: string; readonly result: Result; readonly folder: string }

type Destination = { readonly out?: string | undefined; readonly into?: string | undefined }

/**
 * Reads all results before anything is written.
 * @throws {Problem} "usage" when the report of one would overwrite that of another.
 */
export async function gatherResults(
  files: readonly string[],
  destination: Destination,
): Promise<readonly GatheredResult[]> {
  const gathered: GatheredResult[] = []
  for (const file of files) {
    const result = await readResult(file)
    const folder = destination.out === undefined ? dirname(file) : join(destination.out, result.spec.name)
    const one = { file, result, folder }
    for (const other of gathered) refuseOverwriting(one, other, destination)
    gathered.push(one)
  }
  return gathered
}

function refuseOverwriting(one: GatheredResult, other: GatheredResult, { out, into }: Destination): void {
  const { name } = one.result.spec
  if ((out ?? into) !== undefined && name === other.result.spec.name) {
    throw new Problem('usage', `${one.file} and ${other.file} are results of the same spec "${name}"`, {
      hint: 'Only one of them would remain. Use a separate command for each, with another --out or --into.',
    })
  }
  if (resolve(one.folder) === resolve(other.folder)) {
    throw new Problem(
      'usage',
      `${one.file} and ${other.file} are in one folder, where their reports would have the same names`,
      { hint: 'With --out FOLDER each spec has a folder of its own.' },
    )
  }
}

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
  const { loadReport } = await import('../../report/load-report.ts')
  const reportFor = await loadReport(file)
  return (result) => shownAs(result, reportFor(result))
}
