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
import { type HistoryFlags } from '../commands/history.ts'
import { findUri } from '../options/uris.ts'
import { chooseFormat, printAs, type Printable } from '../results/print-as.ts'
import { reportPlace, writeCharts } from '../results/write-report.ts'

type History = Found & { readonly entries: readonly HistoryEntry[] }

/** Prints the histories of specs, or of all, and draws them with `--out`. */
export async function showHistory(
  given: readonly string[],
  { baselines, baseline, measure, out, format }: HistoryFlags,
  cli: CliContext,
): Promise<void> {
  const specs = given.filter((one) => findUri(one, cli.env) === undefined)
  const [uri] = given.flatMap((one) => findUri(one, cli.env) ?? [])
  const source = uri === undefined ? await openFolder(baselines) : await openCollection(uri)
  const histories = await readHistories(source, { name: baseline, specs })
  if (measure !== undefined) refuseUnknownMetrics(measure, histories)
  const series = histories.flatMap(({ name, entries }) => createHistorySeries(name, entries, measure))
  printAs(chooseFormat(format, cli), printableHistory(series), cli)
  if (out !== undefined) await writeHistory(series, out, cli)
}

const printableHistory = (series: readonly HistorySeries[]): Printable => ({
  text: (columns) => formatTextBlocks(historyBlocks(series), columns),
  md: () => historyText(series, 'text'),
  github: () => historyText(series, 'github'),
  csv: () => series.map((one) => tableCsv(historyTable(one))).join('\n'),
  json: () => series,
})

/** The histories of a folder or of a collection, each read when it is asked for. */
type HistorySource = {
  readonly name: string
  readonly found: readonly (Found & { readonly read: () => Promise<readonly HistoryEntry[]> })[]
  readonly begin: string
}

const openFolder = async (folder: string): Promise<HistorySource> => ({
  name: folder,
  found: (await historiesIn(folder)).map(({ name, spec }) => ({
    name,
    spec,
    read: () => readHistory(historyFile({ folder, name }, spec)),
  })),
  begin: '`mongo-perf run <spec> --save-history main` begins one, and --baselines names the folder.',
})

async function openCollection(uri: string): Promise<HistorySource> {
  const { readSavedHistories } = await import('../../report/history/saved-results.ts')
  const { reachCollection } = await import('../../servers/targets/existing/outside-collection.ts')
  const from = await reachCollection(uri, 'the history')
  const name = `${from.database}.${from.collection}`
  const saved = await readSavedHistories(from)
  return {
    name: from.place,
    found: [...saved].map(([spec, entries]) => ({ name, spec, read: async () => entries })),
    begin: '`mongo-perf run <spec> --save` with the same URI begins one.',
  }
}

async function readHistories(
  source: HistorySource,
  { name, specs }: { readonly name: string | undefined; readonly specs: readonly string[] },
): Promise<readonly History[]> {
  const chosen = source.found.filter(
    (one) => (name ?? one.name) === one.name && (specs.length === 0 || specs.includes(one.spec)),
  )
  const isMissing = specs.some((spec) => chosen.every((one) => one.spec !== spec))
  if (isMissing || chosen.length === 0) throw unknownHistory(source)
  const histories: History[] = []
  for (const { read, ...one } of chosen) histories.push({ ...one, entries: await read() })
  return histories
}

function unknownHistory({ name, found, begin }: HistorySource): Problem {
  const known = found.map((one) => `${one.spec} (${one.name})`)
  return new Problem('usage', `There is no such history in ${name}`, {
    hint: known.length === 0 ? `There is none yet: ${begin}` : `There are ${known.join(', ')}.`,
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

async function writeHistory(series: readonly HistorySeries[], folder: string, cli: CliContext): Promise<void> {
  const file = join(folder, 'history.md')
  await prepareOutput(folder)
  await writeOutput(file, historyText(series, 'text'))
  await writeCharts(historyCharts(series), folder, cli)
  cli.printStatus(reportPlace(file))
}
