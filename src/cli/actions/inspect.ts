import { setFlagsFromString } from 'node:v8'
import { formatTextBlocks } from '../../report/formats/text-blocks.ts'
import { blocksMarkdown, sectionMarkdown } from '../../report/markdown/render.ts'
import { tableCsv } from '../../report/report.ts'
import { shapesTable, trafficBlocks } from '../../traffic/inspect/blocks.ts'
import { summarize } from '../../traffic/inspect/summarize.ts'
import { openRecording } from '../../traffic/recording/open-recording.ts'
import { type CliContext } from '../cli-context.ts'
import { type InspectFlags } from '../commands/inspect.ts'
import { chooseFormat, printAs } from '../results/print-as.ts'
import { writeHtml } from '../results/write-report.ts'

export async function inspectRecording(file: string, { html, format }: InspectFlags, cli: CliContext): Promise<void> {
  await using recording = await openRecording(file)
  // V8 would let its young generation grow to 32 MB, with which a hostile recording takes over 200 MB. A million calls take a fifth longer so.
  setFlagsFromString('--semi-space-growth-factor=1')
  const summary = await summarize(recording)
  const blocks = trafficBlocks(summary, file)
  const printable = {
    text: (columns: number) => formatTextBlocks(blocks, columns),
    md: () => `${blocksMarkdown(blocks)}\n`,
    github: () => `${sectionMarkdown({ title: `Traffic in ${file}`, blocks })}\n`,
    csv: () => tableCsv(shapesTable(summary.shapes)),
    json: () => summary,
  }
  printAs(chooseFormat(format, cli), printable, cli)
  if (html === undefined) return
  const { trafficHtml } = await import('../../traffic/inspect/page.ts')
  await writeHtml(html, trafficHtml(file, summary), cli)
}
