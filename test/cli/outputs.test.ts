import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { adviceBlocks } from '../../src/advise/answer.ts'
import { showHistory } from '../../src/cli/actions/history.ts'
import { describeSpec } from '../../src/cli/actions/init.ts'
import { readyReplay } from '../../src/cli/actions/ready-replay.ts'
import { showLateness } from '../../src/cli/actions/replay.ts'
import { type CliContext } from '../../src/cli/cli-context.ts'
import { type ReportFormat } from '../../src/cli/options/output-options.ts'
import { printComparison } from '../../src/cli/results/print-comparison.ts'
import { createReportPrinter, makeReport, showReportPlace } from '../../src/cli/results/write-report.ts'
import { breakLines } from '../../src/cli/terminal/status-writer.ts'
import { findWarnings } from '../../src/load/measure/warnings/index.ts'
import { withColumns } from '../../src/metrics/columns/own-columns.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { formatTextBlocks } from '../../src/report/formats/text-blocks.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { type Result } from '../../src/results/schema.ts'
import { type SideName } from '../../src/results/schema/pairing.ts'
import { specOfCollection } from '../../src/sources/init/collection/spec-of-collection.ts'
import { writeDraft } from '../../src/sources/init/draft.ts'
import { loadSpec } from '../../src/spec/spec-text.ts'
import { trafficBlocks } from '../../src/traffic/inspect/blocks.ts'
import { summarize } from '../../src/traffic/inspect/summarize.ts'
import { openRecording } from '../../src/traffic/recording/open-recording.ts'
import { replayColumns } from '../../src/traffic/replay/columns.ts'
import { Tally } from '../../src/traffic/replay/tally.ts'
import { around, resultWith } from '../fakes/compared-results.ts'
import { exampleAdvice } from '../fakes/example-advice.ts'
import { fakeCliContext } from '../fakes/fake-cli-context.ts'
import { foundIndex, profileOf } from '../fakes/fake-collection-profile.ts'
import {
  fakeLatency,
  fakeOpenLoop,
  fakeOperation,
  fakeResult,
  fakeVariant,
  healthyOperation,
  healthyPhase,
  sameLatency,
} from '../fakes/fake-result.ts'
import { exampleHistory } from '../fakes/histories.ts'
import { missedRate, resultOfSearches } from '../fakes/searches.ts'
import { useFolder } from '../fakes/temporary-folder.ts'
import { writeAll } from '../traffic/calls.ts'
import { shopTraffic } from '../traffic/shop-traffic.ts'

const folder = useFolder()

/**
 * What commands print on a terminal of 80 columns, to be read in the diff: the first five lines answer what came out, how sure that is,
 * what was compared, whether to trust it, and what to do next.
 */
test.each<readonly [name: string, show: (cli: CliContext) => void | Promise<void>]>([
  ['run', async (cli) => showResult(await readResult('fixtures/results/quickstart/result.json'), cli)],
  ['run-with-a-missed-threshold-on-a-busy-machine', (cli) => showResult(missedOnBusyMachine(), cli)],
  ['run-of-a-failover', async (cli) => showResult(await readResult('fixtures/results/failover/result.json'), cli)],
  ['ab', async (cli) => showComparison(await readSide('a'), await readSide('b'), cli)],
  [
    'ab-of-settings-that-do-not-differ',
    (cli) => showComparison(sideOf('a', around(1000)), sideOf('b', around(1003).toReversed()), cli),
  ],
  ['compare-one-run-each', (cli) => showComparison(resultWith({ '': [5700] }), resultWith({ '': [11] }), cli)],
  ['size-found', (cli) => showResult(resultOfSearches({}), cli, 'rate')],
  ['size-not-found', (cli) => showResult(resultOfSearches(missedRate), cli, 'rate')],
  ['history-of-3-runs', (cli) => showRuns(0, 3, cli)],
  ['history-of-12-runs', (cli) => showRuns(6, 18, cli)],
  ['replay', showReplay],
  ['inspect', showTraffic],
  ['init', showInit],
  ['advise', (cli) => cli.printLines(formatTextBlocks(adviceBlocks(exampleAdvice()), cli.screen.columns))],
])('%s', async (name, show) => {
  const cli = fakeCliContext()
  await show(cli)
  const { stdout, stderr } = cli.output
  const text = breakLines(stdout + stderr, cli.screen.columns)
  await expect(text).toMatchFileSnapshot(`outputs/${name}.txt`)
  expect(text.split('\n').filter((line) => line.length > cli.screen.columns)).toEqual([])
})

function showResult(result: Result, cli: CliContext, format: ReportFormat = 'text'): void {
  const report = makeReport(result, { reference: false }, cli)
  const printer = createReportPrinter(format, { count: 1 }, cli)
  printer.add(report, result)
  printer.end()
  showReportPlace({ folder: path.posix.join('mongo-perf-results', result.spec.name), format }, cli)
}

const readSide = (side: SideName): Promise<Result> => readResult(`fixtures/results/durable-inserts/${side}/result.json`)

function showComparison(a: Result, b: Result, cli: CliContext): Promise<void> {
  const differences = a.spec.hash === b.spec.hash ? [] : (['spec'] as const)
  return printComparison(
    { a: [a], b: [b], comparison: compareResults(a, b, { differences }) },
    { format: 'text', strict: false, out: undefined, html: undefined },
    cli,
  )
}

/** A side of rounds at these rates. */
function sideOf(side: SideName, rates: readonly number[]): Result {
  const settings = side === 'a' ? [] : ['workers=8']
  const first = rates.map(() => 'a' as const)
  return resultWith({ '': rates }, { pairing: { id: 'one', side, settings, first, rounds: 'fixed' } })
}

/** An open loop of which a busy machine sent a fifth. */
function missedOnBusyMachine(): Result {
  const phase = healthyPhase({
    load: 'open',
    wallSeconds: 20,
    operations: [healthyOperation({ ok: 5033, latency: { ok: sameLatency(5033, 180), failed: null, unknown: null } })],
    openLoop: fakeOpenLoop({
      ratePerSecond: 1354,
      seconds: 20,
      maxInFlight: 256,
      peakInFlight: 256,
      planned: 27_080,
      sent: 5033,
      dropped: 22_047,
      wait: sameLatency(5033, 46),
      response: sameLatency(5033, 412),
    }),
    otherLoad: [{ runs: ['client', 'member0'], cpuPercent: 83, usedPercent: 99 }],
  })
  const variants = [fakeVariant({ phases: [{ ...phase, warnings: findWarnings(phase) }] })]
  return fakeResult({ variants, spec: { thresholds: ['responseP99Ms < 300', 'errors == 0'] } })
}

async function showRuns(from: number, to: number, cli: CliContext): Promise<void> {
  const baselines = path.join(folder, `runs-${to}`)
  await mkdir(path.join(baselines, 'main'), { recursive: true })
  const lines = exampleHistory.slice(from, to).map((entry) => `${JSON.stringify(entry)}\n`)
  await writeFile(path.join(baselines, 'main', 'example.history.jsonl'), lines.join(''))
  await showHistory([], { baselines, format: 'text' }, cli)
}

async function recordTraffic(name: string): Promise<string> {
  const file = path.join(folder, name)
  await writeAll(file, shopTraffic, {}, 20_000_000)
  return file
}

async function showTraffic(cli: CliContext): Promise<void> {
  await using recording = await openRecording(await recordTraffic('inspected.mprec'))
  cli.printLines(formatTextBlocks(trafficBlocks(await summarize(recording), 'shop.mprec'), cli.screen.columns))
}

/** A replay whose calls took a fifth longer than recorded. */
async function showReplay(cli: CliContext): Promise<void> {
  await using recording = await openRecording(await recordTraffic('shop.mprec'))
  const place = { existing: false, mayWrite: () => true, isRepeated: false }
  const { replay } = await readyReplay(recording, 'shop.mprec', { only: undefined }, place, cli)
  const { survey, spec } = replay
  const tally = new Tally(survey.shapes.list.length)
  const shapes = survey.shapes.list.map(() => new Array<number>())
  for (const [index, call] of shopTraffic.entries()) {
    const shape = survey.shapes.of(call)
    const replayedUs = (call.latencyUs ?? 0) * (1.15 + 0.1 * Math.sin(index))
    shapes[shape]?.push(replayedUs / 1000)
    tally.latencies.add(shape, index / shopTraffic.length, call.latencyUs ?? 0, replayedUs)
    tally.addSent(index % 50 === 0 ? 2 : 0.2, index % 100 === 0)
  }
  const operations = survey.shapes.list.map(({ name }, index) => {
    const timesMs = shapes[index] ?? []
    const latency = { ok: fakeLatency(timesMs), failed: null, unknown: null }
    return fakeOperation({ name, kind: 'command', ok: timesMs.length, seconds: 20, latency })
  })
  const openLoop = fakeOpenLoop({
    arrivals: 'recorded',
    ratePerSecond: 120,
    seconds: 20,
    planned: 2400,
    sent: 2400,
    response: fakeLatency(shapes.flat()),
  })
  const columns = replayColumns(survey, 'proxy', () => tally)
  const { name, title, rows } = await loadSpec(spec, { columns })
  const phase = {
    ...healthyPhase({ name: 'replay', load: 'open', operations, wallSeconds: 20, openLoop }),
    warnings: [],
  }
  const report = (rows[0]?.spec.report ?? {}) as Result['spec']['report']
  const result = fakeResult({ variants: [fakeVariant({ phases: [phase] })], spec: { name, title, report } })
  showResult(withColumns(result, columns), cli)
  showLateness({ tally: () => tally, survey }, cli)
}

function showInit(cli: CliContext): void {
  const orders = Array.from({ length: 40 }, (_, index) => ({
    _id: index,
    customer: index % 7,
    status: ['new', 'paid', 'sent'][index % 3],
    total: 10 + (index % 13),
  }))
  const profile = profileOf(orders, { documents: 1_204_000, indexes: [foundIndex({ customer: 1 })] })
  const made = writeDraft(specOfCollection(profile, true))
  cli.printStatus(describeSpec({ ...made, starts: 'single server' }, 'shop.json', {}))
}
