import { advise } from '../../advise/advise.ts'
import { adviceBlocks, adviceTable } from '../../advise/answer.ts'
import { loadCopy } from '../../advise/load-copy.ts'
import { formatTextBlocks } from '../../report/formats/text-blocks.ts'
import { blocksMarkdown, sectionMarkdown } from '../../report/markdown/render.ts'
import { tableCsv } from '../../report/report.ts'
import { readCalls } from '../../sources/init/recording/read-calls.ts'
import { findData } from '../../traffic/data/find-data.ts'
import { openRecording } from '../../traffic/recording/open-recording.ts'
import { type CliContext } from '../cli-context.ts'
import { type AdviseFlags } from '../commands/advise.ts'
import { readUris } from '../options/uris.ts'
import { chooseFormat, printAs } from '../results/print-as.ts'
import { createContextFromFlags } from '../start-context.ts'

/** Counts which indexes the calls of a recording need, on a server of our own that has a copy of the data. */
export async function adviseOnRecording(file: string, flags: AdviseFlags, cli: CliContext): Promise<void> {
  const { data: from, most, smallestEffect, sample, format } = flags
  cli.rewrite(`reading ${file}`)
  const { database, found, summary } = await readCalls(file)
  const values = summary.header.values === 'keep' ? 'known' : 'hidden'
  const data = await findDataOf(file, from)
  await using start = createContextFromFlags(flags, readUris([], {}), cli)
  cli.rewrite(`loading ${from}`)
  await using copy = await loadCopy(data.dataSets, start)
  const limits = { most, smallest: smallestEffect / 100, sample, signal: cli.stop, onProgress: cli.rewrite }
  const advice = await advise(copy.db, { groups: found.groups, values }, limits)
  const seconds = summary.durationUs > 0 ? summary.durationUs / 1e6 : null
  const blocks = adviceBlocks(advice, { database, file, calls: found.entries, seconds, values })
  const printable = {
    text: (columns: number) => formatTextBlocks(blocks, columns),
    md: () => `${blocksMarkdown(blocks)}\n`,
    github: () => `${sectionMarkdown({ title: `Indexes for ${file}`, blocks })}\n`,
    csv: () => tableCsv(adviceTable(advice, seconds)),
    json: () => ({ database, ...advice }),
  }
  printAs(chooseFormat(format, cli), printable, cli)
}

async function findDataOf(file: string, source: string) {
  await using recording = await openRecording(file)
  return await findData(source, file, recording)
}
