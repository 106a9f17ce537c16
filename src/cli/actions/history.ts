import { join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { nearest } from '../../core/nearest.ts'
import { type Found, historiesIn, historyFile } from '../../report/baselines/folder.ts'
import { formatTextBlocks } from '../../report/formats/text-blocks.ts'
import { historyCharts } from '../../report/history/chart.ts'
import { type HistoryEntry } from '../../report/history/entry.ts'
import { readHistory } from '../../report/history/history-file.ts'
import { type HistorySeries, createHistorySeries } from '../../report/history/history.ts'
import { historyBlocks, historyTable, historyText } from '../../report/history/text.ts'
import { tableCsv } from '../../report/report.ts'
import { prepareOutput, writeOutput } from '../../results/files/results-file.ts'
import { type CliContext } from '../cli-context.ts'
import { type Format } from '../options/output-options.ts'
import { chooseFormat, printAs, type Printable } from '../results/print-as.ts'
import { writeCharts } from '../results/write-report.ts'

/** The options of the command, as parsed. */
export type HistoryRequest = {
  readonly baselines: string
  readonly baseline?: string
  readonly measure?: readonly string[]
  readonly out?: string
  readonly format?: Format
}

type History = Found & { readonly entries: readonly HistoryEntry[] }

/** Prints the histories of a spec, or of all, and draws them with `--out`. */
export async function showHistory(
  spec: string | undefined,
  { baselines, baseline, measure, out, format }: HistoryRequest,
  cli: CliContext,
): Promise<void> {
  const histories = await readHistories(baselines, { name: baseline, spec })
  if (measure !== undefined) refuseUnknownMetrics(measure, histories)
  const series = histories.flatMap(({ name, entries }) => createHistorySeries(name, entries, measure))
  printAs(chooseFormat(format, cli), printableHistory(series), cli)
  if (out !== undefined) cli.printStatus(`written to ${out}: ${(await writeHistory(series, out, cli)).join(', ')}\n`)
}

const printableHistory = (series: readonly HistorySeries[]): Printable => ({
  text: (columns) => formatTextBlocks(historyBlocks(series), columns),
  md: () => historyText(series, 'text'),
  github: () => historyText(series, 'github'),
  csv: () => series.map((one) => tableCsv(historyTable(one))).join('\n'),
  json: () => series,
})

async function readHistories(
  folder: string,
  { name, spec }: { readonly name: string | undefined; readonly spec: string | undefined },
): Promise<readonly History[]> {
  const all = await historiesIn(folder)
  const chosen = all.filter((one) => (name ?? one.name) === one.name && (spec ?? one.spec) === one.spec)
  if (chosen.length === 0) throw unknownHistory(folder, all)
  const histories: History[] = []
  for (const one of chosen)
    histories.push({ ...one, entries: await readHistory(historyFile({ folder, name: one.name }, one.spec)) })
  return histories
}

function unknownHistory(folder: string, all: readonly Found[]): Problem {
  const known = all.map(({ name, spec }) => `${spec} (${name})`)
  return new Problem('usage', `There is no such history in ${folder}`, {
    hint:
      known.length === 0
        ? 'There is none yet: `mongo-perf run <spec> --save-history main` begins one, and --baselines names the folder.'
        : `There are ${known.join(', ')}.`,
  })
}

function refuseUnknownMetrics(given: readonly string[], histories: readonly History[]): void {
  const known = [
    ...new Set(
      histories.flatMap(({ entries }) =>
        entries.flatMap(({ rows }) => rows.flatMap(({ values }) => Object.keys(values))),
      ),
    ),
  ]
  const unknown = given.find((measure) => !known.includes(measure))
  if (unknown === undefined) return
  const close = nearest(unknown, known)
  throw new Problem('usage', `--measure ${unknown}: the history has no such metric`, {
    hint: close === undefined ? `It has ${known.join(', ')}.` : `Did you mean "${close}"?`,
  })
}

async function writeHistory(
  series: readonly HistorySeries[],
  folder: string,
  cli: CliContext,
): Promise<readonly string[]> {
  await prepareOutput(folder)
  await writeOutput(join(folder, 'history.md'), historyText(series, 'text'))
  return ['history.md', ...(await writeCharts(historyCharts(series), folder, cli))]
}
