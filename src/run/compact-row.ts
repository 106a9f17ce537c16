import { compactHistogram } from '../load/measure/latency.ts'
import { successes, computeSummary } from '../metrics/latency.ts'
import { type PhaseResult, type VariantResult } from '../results/schema.ts'
import {
  type OperationResult,
  type StepResult,
  type StreamResult,
  type TransactionResult,
} from '../results/schema/calls.ts'
import { type Latency } from '../results/schema/latency.ts'
import { type OpenTimes } from '../results/schema/open-loop.ts'
import { type MemberResources } from '../results/schema/servers.ts'

/** Enough for every table, which prints three digits that count, or two decimals of large times. */
const keptDigits = 6
const smallestInDecimals = 1000
const keptDecimals = 3

/** Read of the members that are not written to: their lag by tables, their CPU time by what limits a row. */
const ofOthers: ReadonlySet<string> = new Set(['replicationLagMs', 'processCpuUs'])

/**
 * Keeps the values that tables show, and nothing that is only there for time lines; distributions with two significant digits.
 * @param ofMembers Names of metrics that they show of every member, and not only of the one that is written to.
 */
export function compactRow(row: VariantResult, ofMembers: ReadonlySet<string>): VariantResult {
  return {
    ...row,
    data: rounded(row.data),
    phases: row.phases.map((phase) => rounded(compactPhase(phase, ofMembers))),
    seconds: rounded(row.seconds),
  }
}

function compactPhase(phase: PhaseResult, ofMembers: ReadonlySet<string>): PhaseResult {
  const { columnsPerSecond: _, ...kept } = phase
  const timed = phase.operations.filter(({ latency }) => latency.ok !== null)
  return {
    ...kept,
    operations: phase.operations.map(compactOperation),
    // Histograms with fewer digits would not give quite the same.
    latency: phase.latency ?? (timed.length > 1 ? computeSummary(successes(phase.operations)) : null),
    streams: phase.streams.map(compactStream),
    openLoop: phase.openLoop && {
      ...compactTimes(phase.openLoop),
      perSecond: { ...withoutResponses, planned: [], dropped: [] },
    },
    pool: phase.pool && { ...phase.pool, wait: withCompactHistogram(phase.pool.wait) },
    members: phase.members.map((member) => compactMember(member, ofMembers)),
  }
}

const compactOperation = (operation: OperationResult): OperationResult => ({
  ...compactCalls(operation),
  steps: operation.steps.map(compactCalls),
  perSecond: { ok: [], failed: [], unknown: [], documents: [], p50Ms: [], p99Ms: [], maxMs: [] },
  samples: null,
  transaction: operation.transaction && compactTransaction(operation.transaction),
  openLoop: operation.openLoop && { ...compactTimes(operation.openLoop), perSecond: withoutResponses },
})

const compactTransaction = (transaction: TransactionResult): TransactionResult => ({
  ...transaction,
  latency: {
    firstTry: withCompactHistogram(transaction.latency.firstTry),
    commit: withCompactHistogram(transaction.latency.commit),
    aborted: withoutHistogram(transaction.latency.aborted),
  },
})

const withoutResponses: OpenTimes['perSecond'] = { responseP50Ms: [], responseP99Ms: [], responseMaxMs: [] }

const compactTimes = <Times extends Pick<OpenTimes, 'wait' | 'response'>>(times: Times): Times => ({
  ...times,
  wait: withCompactHistogram(times.wait),
  response: withCompactHistogram(times.response),
})

const compactCalls = <Calls extends OperationResult | StepResult>(calls: Calls): Calls => ({
  ...calls,
  latency: {
    ok: withCompactHistogram(calls.latency.ok),
    failed: withoutHistogram(calls.latency.failed),
    unknown: withoutHistogram(calls.latency.unknown),
  },
})

/** Percentiles over several runs need it, so it is kept where a column shows them. */
const withCompactHistogram = (latency: Latency | null): Latency | null =>
  latency && { ...latency, histogram: latency.histogram && compactHistogram(latency.histogram) }

const withoutHistogram = (latency: Latency | null): Latency | null => latency && { ...latency, histogram: null }

const compactStream = (stream: StreamResult): StreamResult => ({
  ...stream,
  lag: withCompactHistogram(stream.lag),
  perSecond: { events: [], lagP50Ms: [], lagP99Ms: [], lagMaxMs: [] },
})

/** Other counters are read of the member that is written to alone. What is wrong with the others is in the warnings. */
function compactMember(member: MemberResources, ofMembers: ReadonlySet<string>): MemberResources {
  const compact = { ...member, perSecond: {} }
  if (member.role === 'primary' || member.role === 'standalone') return compact
  const kept = Object.entries(member.totals).filter(([name]) => ofOthers.has(name) || ofMembers.has(name))
  return { ...compact, totals: Object.fromEntries(kept), unavailable: {} }
}

/** Whole numbers stay whole: they are counts. */
function rounded<Value>(value: Value): Value {
  if (typeof value === 'number') return round(value) as Value
  if (Array.isArray(value)) return value.map(rounded) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)])) as Value
}

function round(value: number): number {
  if (Number.isInteger(value)) return value
  return Number(Math.abs(value) < smallestInDecimals ? value.toPrecision(keptDigits) : value.toFixed(keptDecimals))
}
