import { join } from 'node:path'
import { systemClock } from '../../core/clock.ts'
import { problems } from '../../core/errors.ts'
import { readableNumber } from '../../metrics/format.ts'
import { chooseTasks } from '../../micro/choose-tasks.ts'
import { renderMicroReport } from '../../micro/report.ts'
import { type MicroEvent, runMicro } from '../../micro/run-micro.ts'
import { resolveLimits } from '../../micro/task.ts'
import { microTasks } from '../../micro/tasks.ts'
import { formatTextBlocks } from '../../report/formats/text-blocks.ts'
import { tableCsv } from '../../report/report.ts'
import { createResultFile } from '../../results/files/result-file.ts'
import { findSecrets } from '../../servers/targets/connection/redact.ts'
import type { CliContext } from '../cli-context.ts'
import type { MicroFlags } from '../commands/micro.ts'
import { readOnlyUri } from '../options/uris.ts'
import { type Printable, chooseFormat, printAs } from '../results/print-as.ts'
import { nothingMeasured, previousKept, reportPlace, writeReport } from '../results/write-report.ts'
import { createContextFromFlags } from '../start-context.ts'

const uriVariable = 'MONGO_PERF_URI'
/** Exit code of failed operations, as for a spec. */
const failedExitCode = 7

/** Chooses and runs microbenchmarks, and prints their report. */
export async function measureMicro(names: readonly string[], flags: MicroFlags, cli: CliContext): Promise<void> {
  const tasks = chooseTasks(microTasks, names, flags.filter)
  const limits = resolveLimits(flags.quick === true, flags)
  const uris = readOnlyUri(flags.uri, 'micro', 'measure with')
  await using start = createContextFromFlags(flags, uris, cli)
  const folder = join(flags.out, 'micro')
  const file = join(folder, 'result.json')
  const output = createResultFile(file, { onPrevious: (place) => cli.printStatus(previousKept(place)) })
  const result = await runMicro({
    tasks,
    limits,
    dataFolder: flags.data,
    uriVariable: uris.replacement === undefined ? undefined : uriVariable,
    start,
    env: cli.env,
    clock: systemClock,
    signal: cli.stop,
    onProgress: (event) => showMicroEvent(event, cli),
    output,
    secrets: uris.all.flatMap(findSecrets),
  })
  const report = renderMicroReport(result)
  const printable: Printable = {
    text: (columns) => formatTextBlocks(report.blocks, columns),
    md: () => report.markdown,
    github: () => report.markdown,
    csv: () => tableCsv(report.tasks),
    json: () => result,
  }
  printAs(chooseFormat(flags.format, cli), printable, cli)
  if (output.isWritten()) {
    await writeReport({ ...report, csv: [] }, folder, cli)
    cli.printStatus(reportPlace(join(folder, 'report.md')))
  } else cli.printStatus(nothingMeasured(file))
  if (result.tasks.some(({ status }) => status === 'failed')) cli.exitWith(failedExitCode)
  if (result.status === 'aborted') cli.exitWith(problems.aborted.exitCode)
}

function showMicroEvent(
  event: MicroEvent,
  { printStatus, rewrite }: Pick<CliContext, 'printStatus' | 'rewrite'>,
): void {
  if (event.kind === 'server') return rewrite('connecting')
  const place = `[${event.number}/${event.of}]`
  if (event.kind === 'begins') return rewrite(`${place} ${event.task.name} …`)
  const { result } = event
  switch (result.status) {
    case 'measured': {
      const { seconds, percentiles, megabytesPerSecond, statistics } = result
      const times = seconds.length === 1 ? 'one iteration' : `${seconds.length} iterations`
      const median = `median ${percentiles.p50.toPrecision(3)} s of ${times}`
      const mean =
        statistics === null
          ? ''
          : `; ${readableNumber(statistics.meanNs)} ns ± ${statistics.marginPercent.toPrecision(2)} % for one operation`
      return printStatus(`${place} ${result.name}: ${megabytesPerSecond.toPrecision(4)} MB/s (${median}${mean})\n`)
    }
    case 'notRun':
      return printStatus(`${place} ${result.name}: not run, ${result.reason}\n`)
    case 'failed':
      return printStatus(`${place} ${result.name}: failed, ${result.error}\n`)
  }
}
