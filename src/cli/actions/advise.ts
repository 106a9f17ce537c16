import { basename, join } from 'node:path'
import { advise } from '../../advise/advise.ts'
import { adviceBlocks, adviceJson, adviceTable, type ShownAdvice } from '../../advise/answer.ts'
import { keepMissed } from '../../advise/index-lines.ts'
import { loadCopy } from '../../advise/load-copy.ts'
import { measureAdvice } from '../../advise/measure.ts'
import { openServer, workOn } from '../../advise/open-server.ts'
import { type Place } from '../../advise/place.ts'
import { countNew, nothingAccepted, readAdvice } from '../../advise/read-advice.ts'
import { drawCalls, type SpecWorkload } from '../../advise/spec-workload.ts'
import { type Workload } from '../../advise/workload.ts'
import { systemClock } from '../../core/clock.ts'
import { Problem, problems } from '../../core/errors.ts'
import { groupDigits } from '../../core/quantities.ts'
import { formatTextBlocks } from '../../report/formats/text-blocks.ts'
import { blocksMarkdown, sectionMarkdown } from '../../report/markdown/render.ts'
import { tableCsv } from '../../report/report.ts'
import { type RunListener } from '../../run/run-events.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { specName } from '../../sources/init/names.ts'
import { findData, findDump, recordedData } from '../../traffic/data/find-data.ts'
import { openRecording } from '../../traffic/recording/open-recording.ts'
import { type CliContext } from '../cli-context.ts'
import { type AdviseFlags } from '../commands/advise.ts'
import { resultsFolder } from '../options/config-file.ts'
import { readUris, requireUri } from '../options/uris.ts'
import { chooseFormat, printAs } from '../results/print-as.ts'
import { writeHtml } from '../results/write-report.ts'
import { createContextFromFlags } from '../start-context.ts'
import { durationText } from '../terminal/show-progress.ts'
import { showRounds } from './ab.ts'
import { readWorkload } from './advise-workload.ts'

/** Counts which indexes calls need, and measures them, on a copy of the data or on a server of the user. */
export async function adviseOnTraffic(given: string | undefined, flags: AdviseFlags, cli: CliContext): Promise<void> {
  const { countOnly, failOn, html, sample } = flags
  const accepted = flags.verify === undefined ? nothingAccepted : await readAdvice(flags.verify)
  const uris = readUris(flags.uri, cli.env)
  await using start = createContextFromFlags(flags, uris, cli)
  cli.rewrite(`reading ${given ?? flags.fromProfile ?? ''}`)
  const asked = await readWorkload(given, flags, start)
  await using place = await openPlace(asked, { flags, start, cli })
  const workload = 'spec' in asked ? await drawCalls(place.db, asked) : asked
  const advice = await workOn(place, async () => {
    const limits = {
      most: flags.most,
      smallest: flags.smallestEffect / 100,
      sample,
      accepted: accepted.create,
      signal: cli.stop,
    }
    const counted = await advise(place, workload, { ...limits, onProgress: showLeft(cli) })
    if (countOnly) return { ...counted, measured: undefined }
    // Writes are measured on servers of our own alone.
    await using own = place.data === 'server' ? await loadCopy({ dataSets: [], data: 'dump' }, start) : undefined
    const name = specName(basename(workload.source, '.mprec'))
    const measured = await measureAdvice(place.db, counted, {
      uri: place.uri,
      writesUri: (own ?? place).uri,
      question: workload.question,
      values: workload.values,
      out: flags.out ?? join(cli.config?.values.out ?? resultsFolder, `${name}-advise`),
      allowRemote: flags.allowRemote === true,
      budgetSeconds: flags.budget,
      env: cli.env,
      signal: cli.stop,
      onProgress: showRounds(cli),
    })
    return { ...keepMissed(counted, measured), measured }
  })
  const shown: ShownAdvice = { ...workload, ...advice, data: place.data, accepted }
  show(shown, flags, cli)
  if (html !== undefined) {
    const { adviceHtml } = await import('../../advise/page.ts')
    await writeHtml(html, adviceHtml(shown), cli)
  }
  const found = countNew(advice.collections, accepted)
  if ((['create', 'drop'] as const).some((what) => found[what] > 0 && (failOn === what || failOn === 'any')))
    cli.exitWith(5)
  if (cli.stop.aborted) cli.exitWith(problems.aborted.exitCode)
}

function show(shown: ShownAdvice, { format }: AdviseFlags, cli: CliContext): void {
  const blocks = adviceBlocks(shown)
  const printable = {
    text: (columns: number) => formatTextBlocks(blocks, columns),
    md: () => `${blocksMarkdown(blocks)}\n`,
    github: () => `${sectionMarkdown({ title: `Indexes for ${shown.source}`, blocks })}\n`,
    csv: () => tableCsv(adviceTable(shown)),
    json: () => adviceJson(shown),
  }
  printAs(chooseFormat(format, cli), printable, cli)
}

type Surroundings = { readonly flags: AdviseFlags; readonly start: StartContext; readonly cli: CliContext }

/** Opens the place to try indexes on: a copy, if the user names data or has only a recording, otherwise the user's server. */
async function openPlace(workload: Workload | SpecWorkload, { flags, start, cli }: Surroundings): Promise<Place> {
  const { database, source, question } = workload
  if ('spec' in workload) return await loadSpecData(workload, { flags, start, cli })
  const isRecorded = flags.fromProfile === undefined && question === undefined
  const from = flags.data ?? (isRecorded && flags.uri === undefined ? recordedData : undefined)
  if (from === undefined) {
    requireUri({ get: start.uri })
    const { allowIndex: allowed = [] } = flags
    return await openServer(start, { database, allowed, env: cli.env, log: cli.printStatus })
  }
  if (from === recordedData && !isRecorded)
    throw new Problem('usage', `--data ${recordedData} makes documents up from a recording, and there is none`, {
      hint: 'Name what mongodump wrote (--data dump/), or leave --data out to try indexes on the server of --uri.',
    })
  const dataSets = isRecorded ? await findRecordedData(source, from) : findDump(from, database)
  cli.rewrite(`loading ${from}`)
  const data = from === recordedData ? 'made up' : 'dump'
  return await loadCopy({ dataSets, data }, start, [showLoading(cli)])
}

/** Loads what a spec defines, or a dump in its place. */
async function loadSpecData(
  { spec, dataSets, database, source }: SpecWorkload,
  { flags, start, cli }: Surroundings,
): Promise<Place> {
  if (flags.uri !== undefined)
    throw new Problem('usage', `The operations of ${source} are tried on a copy of its data, and not on a server`, {
      hint: 'Leave --uri out. For a dump in place of its data, add --data dump/.',
    })
  const existing = spec.data.find((one) => one.existing !== undefined)?.existing
  if (existing !== undefined && flags.data === undefined)
    throw new Problem('usage', `${source} uses ${existing}, which is on your server`, {
      hint: `Dump it (mongodump --db ${database} --out dump), and add --data dump/.`,
    })
  cli.rewrite(`loading the data of ${source}`)
  const { data: from } = flags
  const loaded =
    from === undefined
      ? { dataSets, data: 'spec' as const }
      : { dataSets: findDump(from, database), data: 'dump' as const }
  return await loadCopy({ ...loaded, seed: spec.seed }, start, [showLoading(cli)])
}

/** Shows how much of a collection is loaded. */
const showLoading =
  ({ rewrite }: Pick<CliContext, 'rewrite'>): RunListener =>
  (event) => {
    if (event.kind !== 'load' || event.ratePerSecond === 0) return
    const { collection, documents, of, ratePerSecond } = event
    const left = durationText(Math.max(0, of - documents) / ratePerSecond)
    rewrite(`loading ${collection}: ${groupDigits(documents)} of ${groupDigits(of)} documents, about ${left} left`)
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
  return (await findData(source, file, recording)).dataSets
}
