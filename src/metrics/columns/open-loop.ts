import { type OpenLoopResult, type OpenTimes } from '../../results/schema/open-loop.ts'
import { type Statistic } from '../latency.ts'
import { type Scope } from '../scope.ts'
import { ratio } from '../statistics.ts'
import { type ColumnEntry, defineColumns, ofClient, type PerRun, type Series, latencyStatistic } from './column.ts'
import { latencyColumns } from './latency.ts'
import { asRates } from './per-second.ts'
import { worst } from './throughput.ts'

const ofPlan = { source: 'client', of: ['phase', 'operation'] } as const
const ofPhase = { source: 'client', of: ['phase'] } as const

/** Columns for the plan of an open loop, and times measured from it. Empty for a closed loop, except service times. */
export const openLoopColumns = defineColumns(ofPhase, {
  ratePerSecond: {
    title: 'Target Rate (ops/s)',
    meaning:
      'Operations per second that an open loop should send, the mean of the timed window; per second those that were due.',
    value: ({ phase: { openLoop } }) => openLoop?.ratePerSecond ?? null,
    perSecond: (scope) => planPerSecond(scope, 'planned'),
  },
  dropped: {
    title: 'Dropped',
    meaning:
      'Operations of an open loop that were due while "maxInFlight" operations were in flight, and were never sent; with several runs the maximum.',
    better: 'lower',
    ...worst(({ phase: { openLoop } }) => openLoop?.dropped ?? null),
  },
  droppedPerSecond: {
    title: 'Dropped (ops/s)',
    meaning: 'Operations of an open loop that were due and never sent, divided by the length of its plan.',
    digits: 1,
    better: 'lower',
    value: ({ phase: { openLoop } }) => ratio(openLoop?.dropped ?? null, openLoop?.seconds ?? null),
    perSecond: (scope) => planPerSecond(scope, 'dropped'),
  },
  late: {
    ...ofPlan,
    title: 'Late',
    meaning:
      'Operations of an open loop that were sent more than 2 ms after they were due, because the client was busy; with several runs the maximum.',
    better: 'lower',
    ...worst((scope) => getTimes(scope)?.late ?? null),
  },
  peakInFlight: {
    title: 'Max in Flight',
    meaning: 'Maximum number of operations of an open loop in flight at the same time.',
    value: ({ phase: { openLoop } }) => openLoop?.peakInFlight ?? null,
  },
  ...serviceColumns(),
  ...timeColumns('wait', 'Wait', 'from when an operation of an open loop was due until it was sent'),
  ...timeColumns(
    'response',
    'Response',
    'from when an operation of an open loop was due until its reply, for successful operations',
  ),
})

function planPerSecond({ phase: { openLoop } }: Scope, name: 'planned' | 'dropped'): Series | null {
  return openLoop === null ? null : asRates(openLoop.perSecond[name], openLoop.seconds)
}

type Kind = 'service' | 'wait' | 'response'
/** "serviceP99Ms" and so on. */
type TimeColumns<Of extends Kind> = Readonly<Record<`${Of}${Capitalize<Statistic>}`, ColumnEntry & PerRun>>

/** Statistics with their texts in headings and sentences. */
function statistics(): readonly (readonly [name: Statistic, short: string, long: string])[] {
  return [
    ['meanMs', 'Mean', 'Mean time'],
    ['minMs', 'Min', 'Minimum time'],
    ['p50Ms', 'p50', 'Median of the time'],
    ['p95Ms', 'p95', '95th percentile of the time'],
    ['p99Ms', 'p99', '99th percentile of the time'],
    ['p999Ms', 'p99.9', '99.9th percentile of the time'],
    ['maxMs', 'Max', 'Maximum time'],
  ]
}

/** The same times as in a closed loop, under a name that distinguishes them from waiting. */
function serviceColumns(): TimeColumns<'service'> {
  return createStatisticColumns('service', ([name, short, long]) => ({
    ...latencyColumns[name],
    ...ofClient,
    title: `Service ${short} (ms)`,
    meaning: `${long} from sending an operation until its reply, for successful operations: the same as ${name}. A closed loop has no other times.`,
  }))
}

function timeColumns<Of extends 'wait' | 'response'>(kind: Of, title: string, meaning: string): TimeColumns<Of> {
  return createStatisticColumns(kind, ([name, short, long]) => ({
    ...ofPlan,
    title: `${title} ${short} (ms)`,
    meaning: `${long} ${meaning}.`,
    better: 'lower',
    ...latencyStatistic(name, (scope) => getTimes(scope)?.[kind] ?? null),
    ...(kind === 'response' && createPerSecondSeries(name)),
  }))
}

function createStatisticColumns<Of extends Kind>(
  kind: Of,
  columnFor: (statistic: ReturnType<typeof statistics>[number]) => ColumnEntry & PerRun,
): TimeColumns<Of> {
  const named = statistics().map((statistic) => {
    const [name] = statistic
    return [`${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`, columnFor(statistic)]
  })
  return Object.fromEntries(named) as TimeColumns<Of>
}

/** The series of a statistic, for the three that are kept per second. */
function createPerSecondSeries(name: Statistic): Pick<PerRun, 'perSecond'> {
  const series = {
    p50Ms: 'responseP50Ms',
    p99Ms: 'responseP99Ms',
    maxMs: 'responseMaxMs',
  } as const
  if (!(name in series)) return {}
  const kept = series[name as keyof typeof series]
  return { perSecond: (scope): Series | null => getTimes(scope)?.perSecond[kept] ?? null }
}

/** The times of one operation or of a whole phase. Percentiles of other combinations are not known. */
function getTimes({ phase, operations }: Scope): OpenTimes | OpenLoopResult | null {
  if (operations === phase.operations) return phase.openLoop
  const [only, ...others] = operations
  return only !== undefined && others.length === 0 && 'openLoop' in only ? only.openLoop : null
}
