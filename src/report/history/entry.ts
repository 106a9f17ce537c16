import { z } from 'zod'
import { type Result } from '../../results/schema.ts'
import { figure } from '../../results/schema/fields.ts'
import { type ServerInfo } from '../../results/schema/servers.ts'
import { coresText, collectEnvironmentFacts } from '../prose/environment.ts'
import { summarizeRows } from './summarize-rows.ts'

/** The median of the runs of a row, with its interval. */
export const medians = z.object({ median: figure, low: figure, high: figure, runs: z.int().positive() })

/** One run of a spec, as a line of its history. */
export const historyEntry = z.object({
  date: z.iso.datetime(),
  /** Null: not known. */
  commit: z.string().nullable(),
  tool: z.string(),
  spec: z.object({ name: z.string(), hash: z.string() }),
  /** Kind of the machines: those of the client, and of servers that were not started on it. */
  machine: z.string(),
  /** "MongoDB 6.0.5, wiredTiger; standalone" */
  server: z.string(),
  driver: z.string(),
  rows: z.array(
    z.object({
      row: z.string(),
      /** Values by addresses, such as "findOne.p99Ms". */
      values: z.record(z.string(), medians),
    }),
  ),
})

export type HistoryEntry = z.output<typeof historyEntry>

/** Creates what a history keeps of a result: the median of each measure that is compared by default, with its interval. */
export function createHistoryEntry(result: Result, commit: string | null): HistoryEntry {
  const { spec, tool, startedAt } = result
  return {
    date: startedAt,
    commit,
    tool: tool.version,
    spec: { name: spec.name, hash: spec.hash },
    machine: describeMachine(result),
    server: factsText(result, ['Server', 'Topology']),
    driver: factsText(result, ['Driver']),
    rows: summarizeRows(result),
  }
}

const mbPerGB = 1024

/** Whole GB: kernels of one kind of machine differ by some MB in what they report. */
const memoryText = (mb: number): string => `${Math.round(mb / mbPerGB)} GB`

function describeMachine({ environment: { host }, variants }: Result): string {
  const servers = variants.flatMap(({ server }) => (server === null || server.startedByUs ? [] : serverText(server)))
  return [`${host.cpu}, ${coresText(host.cores)}, ${memoryText(host.memoryMB)}`, ...new Set(servers)].join('; ')
}

function serverText({ cores, memoryMB }: ServerInfo): string {
  const parts = [
    cores === null ? 'unknown cores' : coresText(cores),
    ...(memoryMB === null ? [] : [memoryText(memoryMB)]),
  ]
  return `server with ${parts.join(', ')}`
}

function factsText(result: Result, names: readonly string[]): string {
  const known = collectEnvironmentFacts(result)
  return names.flatMap((name) => known.filter((fact) => fact.name === name).map(({ value }) => value)).join('; ')
}
