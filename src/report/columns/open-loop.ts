import { type LatencySummary } from '../../results/schema/latency.ts'
import { type OpenLoopResult, type OpenTimes } from '../../results/schema/open-loop.ts'
import { type Scope } from '../scope.ts'
import { ratio } from '../statistics.ts'
import { type Column, type Columns, ofCalls, type PerRun, type Series } from './column.ts'
import { latencyColumns } from './latency.ts'
import { asRates } from './per-second.ts'
import { worst } from './throughput.ts'

const ofPlan = { source: 'client', of: ['phase', 'operation'] } as const
const ofPhase = { source: 'client', of: ['phase'] } as const

/** What an open loop adds: its plan, and times that count from it. Empty for a closed loop, apart from service times. */
export const openLoopColumns = {
  ratePerSecond: {
    ...ofPhase,
    title: 'Target Rate (ops/s)',
    unit: 'ops/s',
    meaning:
      'Calls per second that an open loop was to send, the mean of the timed window; second by second those that were due.',
    digits: 0,
    value: ({ phase: { openLoop } }) => openLoop?.ratePerSecond ?? null,
    perSecond: (scope) => planPerSecond(scope, 'planned'),
  },
  dropped: {
    ...ofPhase,
    title: 'Dropped',
    unit: '',
    meaning:
      'Calls of an open loop that were due while as many as may ("maxInFlight") waited for their answers, and were never sent; of several runs the one with the most.',
    digits: 0,
    ...worst(({ phase: { openLoop } }) => openLoop?.dropped ?? null),
  },
  droppedPerSecond: {
    ...ofPhase,
    title: 'Dropped (ops/s)',
    unit: 'ops/s',
    meaning: 'Calls of an open loop that were due and never sent, divided by the length of its plan.',
    digits: 1,
    value: ({ phase: { openLoop } }) => ratio(openLoop?.dropped ?? null, openLoop?.seconds ?? null),
    perSecond: (scope) => planPerSecond(scope, 'dropped'),
  },
  late: {
    ...ofPlan,
    title: 'Late',
    unit: '',
    meaning:
      'Calls of an open loop that were sent more than 2 ms after they were due, because this client was busy; of several runs the one with the most.',
    digits: 0,
    ...worst((scope) => timesOf(scope)?.late ?? null),
  },
  peakInFlight: {
    ...ofPhase,
    title: 'Most in Flight',
    unit: '',
    meaning: 'Most calls of an open loop that waited for their answers at the same time.',
    digits: 0,
    value: ({ phase: { openLoop } }) => openLoop?.peakInFlight ?? null,
  },
  ...serviceColumns(),
  ...timeColumns('wait', 'Wait', 'from the moment when a call of an open loop was due until it was sent'),
  ...timeColumns(
    'response',
    'Response',
    'from the moment when a call of an open loop was due until its answer, of those that succeeded',
  ),
} as const satisfies Columns

function planPerSecond({ phase: { openLoop } }: Scope, name: 'planned' | 'dropped'): Series | null {
  return openLoop === null ? null : asRates(openLoop.perSecond[name], openLoop.seconds)
}

type Kind = 'service' | 'wait' | 'response'
type Statistic = Exclude<keyof LatencySummary, 'count'>
/** "serviceP99Ms" and so on. */
type TimeColumns<Of extends Kind> = Readonly<Record<`${Of}${Capitalize<Statistic>}`, Column & PerRun>>

/** Words for headings and sentences. */
function statistics(): readonly (readonly [name: Statistic, short: string, long: string])[] {
  return [
    ['meanMs', 'Mean', 'Mean time'],
    ['minMs', 'Min', 'Shortest time'],
    ['p50Ms', 'p50', 'Median of the time'],
    ['p95Ms', 'p95', '95th percentile of the time'],
    ['p99Ms', 'p99', '99th percentile of the time'],
    ['p999Ms', 'p99.9', '99.9th percentile of the time'],
    ['maxMs', 'Max', 'Longest time'],
  ]
}

/** The same times as those of a closed loop, under the name that tells them from waiting. */
function serviceColumns(): TimeColumns<'service'> {
  return columnsOf('service', ([name, short, long]) => ({
    ...latencyColumns[name],
    of: ofCalls,
    title: `Service ${short} (ms)`,
    meaning: `${long} from sending a call until its answer, of those that succeeded: what ${name} is, and all that a closed loop can tell.`,
  }))
}

function timeColumns<Of extends 'wait' | 'response'>(kind: Of, title: string, meaning: string): TimeColumns<Of> {
  return columnsOf(kind, ([name, short, long]) => ({
    ...ofPlan,
    title: `${title} ${short} (ms)`,
    unit: 'ms',
    meaning: `${long} ${meaning}.`,
    digits: 2,
    value: (scope) => timesOf(scope)?.[kind]?.[name] ?? null,
    ...(kind === 'response' && courseOf(name)),
  }))
}

function columnsOf<Of extends Kind>(
  kind: Of,
  columnFor: (statistic: ReturnType<typeof statistics>[number]) => Column & PerRun,
): TimeColumns<Of> {
  const named = statistics().map((statistic) => {
    const [name] = statistic
    return [`${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`, columnFor(statistic)]
  })
  return Object.fromEntries(named) as TimeColumns<Of>
}

/** Three figures are kept of each second. */
function courseOf(name: Statistic): Pick<PerRun, 'perSecond'> {
  const series = {
    p50Ms: 'responseP50Ms',
    p99Ms: 'responseP99Ms',
    maxMs: 'responseMaxMs',
  } as const
  if (!(name in series)) return {}
  const kept = series[name as keyof typeof series]
  return { perSecond: (scope): Series | null => timesOf(scope)?.perSecond[kept] ?? null }
}

/** Those of all operations of a phase together are kept too, for percentiles cannot be put together. */
function timesOf({ phase, operations }: Scope): OpenTimes | OpenLoopResult | null {
  if (operations === phase.operations) return phase.openLoop
  const [only, ...others] = operations
  return only !== undefined && others.length === 0 && 'openLoop' in only ? only.openLoop : null
}
