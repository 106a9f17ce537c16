import { join } from 'node:path'
import { paragraph } from '../../report/blocks/block.ts'
import { intervalsChart } from '../../report/charts/intervals.ts'
import { isAnyWorse, isClear } from '../../report/comparison/comparison.ts'
import { type ResultComparison } from '../../report/comparison/comparison.ts'
import { comparisonBlocks, comparisonTable, comparisonText } from '../../report/comparison/text.ts'
import { comparisonSuites, junitXml } from '../../report/formats/junit.ts'
import { formatTextBlocks } from '../../report/formats/text-blocks.ts'
import { type Compared } from '../../report/html/comparison-html.ts'
import { tableCsv } from '../../report/report.ts'
import { prepareOutput, writeOutput } from '../../results/files/results-file.ts'
import { type CliContext } from '../cli-context.ts'
import { type ComparisonFormat } from '../options/output-options.ts'
import { chooseFormat, printAs, type Printable } from './print-as.ts'
import { reportPlace, writeCharts, writeHtml } from './write-report.ts'

export type PrintOptions = {
  /** Default: a text on a terminal, Markdown elsewhere. */
  readonly format?: ComparisonFormat | undefined
  /** Whether what is not clear, or measured on one side only, ends with exit code 5 too. */
  readonly strict: boolean
  /** The folder for its text, its chart and its page. */
  readonly out: string | undefined
  /** The HTML file for its verdicts, with the reports of A and B beside each other. */
  readonly html: string | undefined
  /** A line below the comparison. Default: none. */
  readonly note?: string | undefined
  /** Whether to print no names of files, and the outcome only where it is not good. Default: no. */
  readonly quiet?: boolean
}

/** Prints and writes a comparison, and ends with its exit code. */
export async function printComparison(
  compared: Compared,
  { format, strict, out, html, note, quiet = false }: PrintOptions,
  cli: CliContext,
): Promise<void> {
  const { comparison } = compared
  printVerdicts(comparison, { format, note }, cli)
  const printStatus = (status: string): void => (quiet ? undefined : cli.printStatus(status))
  if (out !== undefined) {
    await writeComparison(compared, out, cli)
    printStatus(reportPlace(join(out, 'comparison.html')))
  }
  if (html !== undefined) await writeHtml(html, await renderComparisonPage(compared), { printStatus })
  const isGood = !isAnyWorse(comparison) && (!strict || isClear(comparison))
  if (quiet && !isGood) cli.printStatus(`${comparison.answer}\n`)
  cli.exitWith(isGood ? 0 : 5)
}

function printVerdicts(
  comparison: ResultComparison,
  { format, note }: Pick<PrintOptions, 'format' | 'note'>,
  cli: CliContext,
): void {
  const chosen = chooseFormat(format, cli)
  if (chosen === 'junit') cli.print(junitXml(comparisonSuites(comparison)))
  else printAs(chosen, printableComparison(comparison, note), cli)
}

/** @param note A line below it, for people. */
export function printableComparison(comparison: ResultComparison, note?: string): Printable {
  const noted = (text: string): string => (note === undefined ? text : `${text}\n${note}\n`)
  const notes = note === undefined ? [] : [paragraph(note, 'aside')]
  return {
    text: (columns) => formatTextBlocks([...comparisonBlocks(comparison, 'terminal'), ...notes], columns),
    md: () => noted(comparisonText(comparison, 'text')),
    github: () => noted(comparisonText(comparison, 'github')),
    csv: () => tableCsv(comparisonTable(comparison)),
    json: () => comparison,
  }
}

async function renderComparisonPage(compared: Compared): Promise<string> {
  const { comparisonHtml } = await import('../../report/html/comparison-html.ts')
  return comparisonHtml(compared)
}

/** Writes a comparison, a chart of its intervals and its page to a folder. */
export async function writeComparison(
  compared: Compared,
  folder: string,
  cli: Pick<CliContext, 'printStatus'>,
): Promise<void> {
  const { comparison } = compared
  await prepareOutput(folder)
  await writeOutput(join(folder, 'comparison.html'), await renderComparisonPage(compared))
  await writeOutput(join(folder, 'comparison.md'), comparisonText(comparison, 'text'))
  const chart = intervalsChart(comparison)
  await writeCharts(chart === null ? [] : [chart], folder, cli)
}
