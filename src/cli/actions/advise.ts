import { join, parse } from 'node:path'
import { advise } from '../../advise/advise.ts'
import { adviceBlocks, adviceJson, adviceTable, type ShownAdvice } from '../../advise/answer.ts'
import { loadCopy } from '../../advise/load-copy.ts'
import { keepMissed, measureAdvice } from '../../advise/measure.ts'
import { countNew, nothingAccepted, readAdvice } from '../../advise/read-advice.ts'
import { systemClock } from '../../core/clock.ts'
import { problems } from '../../core/errors.ts'
import { formatTextBlocks } from '../../report/formats/text-blocks.ts'
import { blocksMarkdown, sectionMarkdown } from '../../report/markdown/render.ts'
import { tableCsv } from '../../report/report.ts'
import { readCalls } from '../../sources/init/recording/read-calls.ts'
import { findData } from '../../traffic/data/find-data.ts'
import { openRecording } from '../../traffic/recording/open-recording.ts'
import { type CliContext } from '../cli-context.ts'
import { type AdviseFlags } from '../commands/advise.ts'
import { resultsFolder } from '../options/config-file.ts'
import { readUris } from '../options/uris.ts'
import { chooseFormat, printAs } from '../results/print-as.ts'
import { writeHtml } from '../results/write-report.ts'
import { createContextFromFlags } from '../start-context.ts'
import { durationText } from '../terminal/show-progress.ts'
import { showRounds } from './ab.ts'

/** Counts which indexes the calls of a recording need, and measures them, on a server of our own that has a copy of the data. */
export async function adviseOnRecording(file: string, flags: AdviseFlags, cli: CliContext): Promise<void> {
  const { data: source, most, smallestEffect, sample, format, budget, countOnly, failOn, html } = flags
  const accepted = flags.verify === undefined ? nothingAccepted : await readAdvice(flags.verify)
  cli.rewrite(`reading ${file}`)
  const { database, found: calls, summary } = await readCalls(file)
  const values = summary.header.values === 'keep' ? 'known' : 'hidden'
  const { dataSets } = await findRecordedData(file, source)
  await using start = createContextFromFlags(flags, readUris([], {}), cli)
  cli.rewrite(`loading ${source}`)
  await using copy = await loadCopy(dataSets, start)
  const limits = { most, smallest: smallestEffect / 100, sample, accepted: accepted.create, signal: cli.stop }
  const counted = await advise(copy.db, { groups: calls.groups, values }, { ...limits, onProgress: showLeft(cli) })
  const out = flags.out ?? join(cli.config?.values.out ?? resultsFolder, `${parse(file).name}-advise`)
  const options = { uri: copy.uri, out, budgetSeconds: budget, env: cli.env, signal: cli.stop }
  const measured = countOnly
    ? undefined
    : await measureAdvice(copy.db, counted, { ...options, onProgress: showRounds(cli) })
  const advice = measured === undefined ? counted : keepMissed(counted, measured)
  const shown = {
    ...advice,
    database,
    file,
    calls: calls.entries,
    seconds: summary.durationUs > 0 ? summary.durationUs / 1e6 : null,
    values,
    accepted,
    measured,
  } satisfies ShownAdvice
  const blocks = adviceBlocks(shown)
  const printable = {
    text: (columns: number) => formatTextBlocks(blocks, columns),
    md: () => `${blocksMarkdown(blocks)}\n`,
    github: () => `${sectionMarkdown({ title: `Indexes for ${file}`, blocks })}\n`,
    csv: () => tableCsv(adviceTable(shown)),
    json: () => adviceJson(shown),
  }
  printAs(chooseFormat(format, cli), printable, cli)
  if (html !== undefined) {
    const { adviceHtml } = await import('../../advise/page.ts')
    await writeHtml(html, adviceHtml(shown), cli)
  }
  const found = countNew(advice.collections, accepted)
  if ((['create', 'drop'] as const).some((what) => found[what] > 0 && (failOn === what || failOn === 'any')))
    cli.exitWith(5)
  if (cli.stop.aborted) cli.exitWith(problems.aborted.exitCode)
}

/** Shows what is under way, with the time left by the part that is done. */
function showLeft({ rewrite }: Pick<CliContext, 'rewrite'>): (text: string, done: number) => void {
  const begun = systemClock.now()
  return (text, done) => {
    const left = ((systemClock.now() - begun) / 1000) * (1 / done - 1)
    rewrite(done === 0 ? text : `${text}, about ${durationText(left)} left`)
  }
}

async function findRecordedData(file: string, source: string) {
  await using recording = await openRecording(file)
  return await findData(source, file, recording)
}
