import { dirname, join, resolve } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { quickReport, shownAs } from '../../report/definition/quick-report.ts'
import { type Rendered } from '../../report/html/report-html.ts'
import { readResult } from '../../results/files/results-file.ts'
import { type Result } from '../../results/schema.ts'
import { type CliContext } from '../cli-context.ts'
import { type ReportFlags } from '../commands/report.ts'
import { besideSpec, type FindProse, openDocument, refuseLayoutAlone } from '../results/into-document.ts'
import { chooseFormat } from '../results/print-as.ts'
import {
  createReportPrinter,
  makeReport,
  showReportPlace,
  writeCharts,
  writeHtml,
  writeResultReport,
} from '../results/write-report.ts'
import { findSpecs } from '../specs/find-specs.ts'

/** Prints the reports of results, and writes them where the options say. */
export async function showReports(files: readonly string[], flags: ReportFlags, cli: CliContext): Promise<void> {
  const { into, layout, html, reference = false } = flags
  refuseLayoutAlone(flags)
  const gathered = await gatherResults(files, flags)
  const shown = await chooseReport(flags)
  const results = gathered.map(({ file, result, folder }) => ({ file, result: shown(result), folder }))
  const document =
    into === undefined ? undefined : await openDocument(into, cli, { reference, layout, findProse: chooseProse(flags) })
  const format = chooseFormat(flags.format, cli)
  const printer = createReportPrinter(format, { count: files.length }, cli)
  const rendered: Rendered[] = []
  for (const { file, result, folder } of results) {
    const report = makeReport(result, { reference }, cli)
    if (document === undefined || flags.format !== undefined) printer.add(report, result)
    rendered.push({ result, report })
    if (writesFiles(flags)) {
      await writeResultReport(result, report, folder, cli)
      showReportPlace({ folder, format }, cli)
    } else if (document !== undefined) await writeCharts(report.charts, folder, cli)
    await document?.add(result, { result: file, charts: folder })
  }
  printer.end()
  if (html === undefined) return
  const { renderedHtml } = await import('../../report/html/report-html.ts')
  await writeHtml(html, renderedHtml(rendered), cli)
}

/** Whether reports are written beside their results, or where options say. */
const writesFiles = ({ out, into, html, columns }: ReportFlags): boolean =>
  out !== undefined || [into, html, columns].every((option) => option === undefined)

type GatheredResult = { readonly file: string; readonly result: Result; readonly folder: string }

type Destination = Pick<ReportFlags, 'out' | 'into'>

/**
 * Reads all results before anything is written.
 * @throws {Problem} "usage" when the report of one would overwrite that of another.
 */
async function gatherResults(files: readonly string[], destination: Destination): Promise<readonly GatheredResult[]> {
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
      { hint: 'With --out FOLDER each spec has its own folder.' },
    )
  }
}

/** The texts of a folder, else those beside the spec whose report is shown. */
const chooseProse =
  ({ prose, spec = '' }: ReportFlags): FindProse =>
  (name) =>
    prose === undefined ? besideSpec(spec) : join(prose, `${name}.md`)

/** Returns a function that gives a result the report to show. */
async function chooseReport({ columns, spec }: ReportFlags): Promise<(result: Result) => Result> {
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
