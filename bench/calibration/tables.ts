import { groupDigits } from '../../src/core/quantities.ts'
import { tableOfCells } from '../../src/report/markdown/table.ts'
import { median, computeMedian, medianRatio } from '../benchmark.ts'
import { cpuShares } from './cpu-samples.ts'
import { kinds, type ToolName, type ToolRun } from './tool.ts'
import { type Traffic } from './traffic.ts'

/** A run of a tool, and what it exchanged with the server. */
export type Round = ToolRun & { readonly traffic: Traffic }

/** The rounds of a workload, by tool. */
export type WorkloadRounds = {
  /** Its letter. */
  readonly workload: string
  readonly rounds: Readonly<Partial<Record<ToolName, readonly Round[]>>>
}

type Cell = (rounds: readonly Round[], workload: WorkloadRounds) => string

/** All tables, in Markdown, each below a line that describes it. */
export function formatTables(results: readonly WorkloadRounds[], tools: readonly ToolName[]): string {
  const table = (title: string, cell: Cell, names = tools): string =>
    `${title}\n\n${tableOfCells([['', ...names], ...createRows(results, names, cell)])}`
  return [
    table('Throughput, ops/s', (rounds) => count(computeMedian(rounds, opsPerSecond))),
    ...tools.filter((name) => !isMongoPerf(name)).map((name) => ratiosTo(name, results, tools)),
    `p99, ms\n\n${tableOfCells([['', ...tools], ...p99Rows(results, tools)])}`,
    table('CPU of the client, µs per operation', (rounds) => cpuUs(rounds, 'client')),
    table('CPU of the server, µs per operation', (rounds) => cpuUs(rounds, 'server')),
    table('Bytes per request: to the server / from it, those to watch it included', (rounds) =>
      (['bytesIn', 'bytesOut'] as const)
        .map((way) => count(computeMedian(rounds, ({ traffic }) => traffic[way] / traffic.requests)))
        .join(' / '),
    ),
    table('Connections opened, those to watch the server included', (rounds) =>
      count(computeMedian(rounds, ({ traffic }) => traffic.connections)),
    ),
    table('Misses and errors, of all rounds', (rounds) =>
      count(rounds.reduce((sum, { figures }) => sum + figures.failures, 0)),
    ),
    ...(tools.includes('YCSB')
      ? [table('Throughput of the warm-up beside that of the window', warmupShare, ['YCSB'])]
      : []),
  ].join('\n\n')
}

const createRows = (results: readonly WorkloadRounds[], names: readonly ToolName[], cell: Cell) =>
  results.map((result) => [
    result.workload.toUpperCase(),
    ...names.map((name) => cell(result.rounds[name] ?? [], result)),
  ])

const isMongoPerf = (name: ToolName): boolean => name.startsWith('mongo-perf')

const opsPerSecond = ({ figures }: Round): number => figures.opsPerSecond

/** Throughput of mongo-perf by that of another tool. */
function ratiosTo(other: ToolName, results: readonly WorkloadRounds[], tools: readonly ToolName[]): string {
  const ours = tools.filter(isMongoPerf)
  const rows = createRows(results, ours, (rounds, { rounds: all }) =>
    medianRatio(rounds, all[other] ?? [], opsPerSecond).toFixed(2),
  )
  return `Throughput by that of ${other}\n\n${tableOfCells([['', ...ours], ...rows])}`
}

/** One for each kind of operations that a workload has. */
const p99Rows = (results: readonly WorkloadRounds[], tools: readonly ToolName[]): readonly (readonly string[])[] =>
  results.flatMap(({ workload, rounds }) =>
    kinds
      .map((kind) =>
        [`${workload.toUpperCase()} ${kind}`].concat(
          tools.map((name) => p99Text(collectP99s(rounds[name] ?? [], kind))),
        ),
      )
      .filter(([, ...cells]) => cells.some((cell) => cell !== none)),
  )

/** Not measured. */
const none = '–'

const p99Text = (values: readonly number[]): string => (values.length === 0 ? none : median(values).toFixed(2))

const collectP99s = (rounds: readonly Round[], kind: (typeof kinds)[number]): readonly number[] =>
  rounds.flatMap(({ figures }) => figures.p99Ms[kind] ?? [])

function cpuUs(rounds: readonly Round[], of: 'client' | 'server'): string {
  const us = rounds.flatMap(({ cpu, figures }) => {
    const shares = cpuShares(cpu, figures.window)
    return shares === undefined ? [] : [(shares[of] * 1e6) / figures.opsPerSecond]
  })
  return us.length === 0 ? none : median(us).toFixed(1)
}

const warmupShare: Cell = (rounds) =>
  computeMedian(rounds, ({ figures }) => (figures.warmupOpsPerSecond ?? 0) / figures.opsPerSecond).toFixed(2)

const count = (value: number): string => groupDigits(Math.round(value))
