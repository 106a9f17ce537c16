import { sum } from '../../metrics/statistics.ts'
import { type MemberResources } from '../../results/schema/servers.ts'
import { isOfHost, type Metric, metricEntries, type MetricName } from '../../results/server-metrics.ts'
import { createHistory, type History, maxGapMs } from './history.ts'
import { type Sample, type SourceName } from './sample.ts'

type Window = { readonly fromMs: number; readonly toMs: number }
type Answer = { readonly value: number } | { readonly reason: string }

/** Computes the resources that each member used in one window from its samples. */
export function toMemberResources(observations: readonly Observation[]): MemberResources[] {
  return withReplicationLag(observations).map(summarize)
}

function summarize(observation: Observation): MemberResources {
  const { member, samples, polls, durationMs } = observation
  const window = computeWindow(observation)
  const history = createHistory(samples)
  const totals: MemberResources['totals'] = {}
  const unavailable: MemberResources['unavailable'] = {}
  const perSecond: MemberResources['perSecond'] = {}

  for (const [name, metric] of metricEntries) {
    const answer = window
      ? computeTotal(name, metric, history, window)
      : { reason: 'the server did not answer at the edges of the window' }
    totals[name] = 'value' in answer ? answer.value : null
    if ('reason' in answer) unavailable[name] = explainMissingMetric(name, metric, observation) ?? answer.reason
    const series = window ? computeSeries(name, metric, history, window, Math.ceil(durationMs / 1000)) : []
    if (series.some((value) => value !== null)) perSecond[name] = series
  }

  return {
    member,
    role: roleIn(samples, window),
    source: getSource(samples),
    totals,
    unavailable,
    perSecond,
    restarted: window !== null && history.restarted(window.fromMs, window.toMs),
    sampler: pollSummary(polls),
  }
}

function computeTotal(name: MetricName, { kind }: Metric, history: History, { fromMs, toMs }: Window): Answer {
  if (kind === 'gauge') {
    const value = history.gaugeAt(name, toMs)
    return value === null ? { reason: "no sample near the window's end" } : { value }
  }
  if (history.restarted(fromMs, toMs)) return { reason: 'the server restarted inside of the window' }
  const start = history.counterAt(name, fromMs)
  if (!start) return { reason: "no samples on both sides of the window's start" }
  const end = history.counterAt(name, toMs)
  if (!end) return { reason: "no samples on both sides of the window's end" }
  if (end.life !== start.life) return { reason: 'the server restarted inside of the window' }
  const value = end.value - start.value
  return value < 0 ? { reason: 'the counter decreased inside the window' } : { value }
}

/** One entry per second. The last one ends with the window, so that the increments add up to the total. */
function computeSeries(
  name: MetricName,
  { kind }: Metric,
  history: History,
  { fromMs, toMs }: Window,
  seconds: number,
): (number | null)[] {
  const bounds = Array.from({ length: seconds + 1 }, (_, second) =>
    second === seconds ? toMs : fromMs + 1000 * second,
  )
  if (kind === 'gauge') return bounds.slice(1).map((atMs) => history.gaugeAt(name, atMs))
  const points = bounds.map((atMs) => history.counterAt(name, atMs))
  return points.slice(1).map((end, second) => {
    const start = points[second]
    if (!start || !end || start.life !== end.life || end.value < start.value) return null
    return end.value - start.value
  })
}

/** Why a metric is unknown. Null where any sample has it. */
function explainMissingMetric(name: MetricName, metric: Metric, { samples, trouble }: Observation): string | null {
  // Samples from before the window may be those of a secondary that has been elected since.
  if (name === 'replicationLagMs' && samples.at(-1)?.role === 'primary') return lagReason(samples)
  if (samples.some(({ values }) => values[name] !== undefined)) return null
  const troubles = Object.values(trouble)
  if (samples.length === 0) return `not available here: ${troubles.join(', ') || 'the server was not asked in time'}`
  if (name === 'replicationLagMs') return lagReason(samples)
  if (isOfHost(metric) && !samples.some(({ source }) => source === 'getDiagnosticData')) {
    return `not available here: ${trouble.getDiagnosticData ?? 'getDiagnosticData returned no data'}`
  }
  return 'not available here: this server does not report it'
}

function lagReason(samples: readonly Sample[]): string {
  const role = samples.at(-1)?.role
  if (role === 'primary') return 'this member is the primary'
  if (role === 'secondary')
    return "not available here: no primary reported its members' positions (replSetGetStatus in getDiagnosticData)"
  return 'not available here: the server is not a member of a replica set that holds data'
}

/** The role at the start of the window. Faults, which may change roles, are reported elsewhere. */
function roleIn(samples: readonly Sample[], window: Window | null): MemberResources['role'] {
  const first = samples.find(({ atMs }) => window !== null && atMs >= window.fromMs) ?? samples.at(-1)
  return first?.role ?? 'other'
}

function getSource(samples: readonly Sample[]): MemberResources['source'] {
  return samples.find(({ source }) => source === 'getDiagnosticData')?.source ?? samples[0]?.source ?? null
}

function pollSummary(polls: readonly Poll[]): MemberResources['sampler'] {
  const answered = polls.filter(({ ok }) => ok)
  return {
    samples: answered.length,
    failed: polls.length - answered.length,
    meanMs: answered.length === 0 ? null : sum(answered.map(({ ms }) => ms)) / answered.length,
    bytes: sum(answered.map(({ bytes }) => bytes)),
  }
}

/** Report of a primary about the members that replicate from it, at a time since the start of the window. */
type Report = {
  readonly sinceStartMs: number
  readonly primaryMs: number
  readonly appliedMs: ReadonlyMap<string, number>
}

/**
 * Adds the replication lag to the samples of secondaries, as the primary reports it: the primary learns of progress at once,
 * while a secondary knows the primary's position only from the last heartbeat, up to two seconds ago.
 */
function withReplicationLag(observations: readonly Observation[]): readonly Observation[] {
  const reports = observations.flatMap(listReports)
  return observations.map((observation) => {
    const window = computeWindow(observation)
    if (!window) return observation
    return { ...observation, samples: observation.samples.map((sample) => addLag(sample, window.fromMs, reports)) }
  })
}

function listReports(observation: Observation): readonly Report[] {
  const window = computeWindow(observation)
  if (!window) return []
  return observation.samples.flatMap(({ role, setName, atMs, appliedMs }) => {
    const primaryMs = setName === null ? undefined : appliedMs.get(setName)
    if (role !== 'primary' || primaryMs === undefined) return []
    return [{ sinceStartMs: atMs - window.fromMs, primaryMs, appliedMs }]
  })
}

/** Samples of different members are matched by the time since the start of the window: their clocks may differ. */
function addLag(sample: Sample, fromMs: number, reports: readonly Report[]): Sample {
  if (sample.role !== 'secondary' || sample.setName === null) return sample
  const distance = (report: Report): number => Math.abs(report.sinceStartMs - (sample.atMs - fromMs))
  const { setName } = sample
  // In a cluster each shard has its own primary.
  const nearest = reports
    .filter(({ appliedMs }) => appliedMs.has(setName))
    .reduce<Report | null>((best, one) => (best && distance(best) <= distance(one) ? best : one), null)
  const appliedMs = nearest?.appliedMs.get(setName)
  if (!nearest || appliedMs === undefined || distance(nearest) > maxGapMs) return sample
  return { ...sample, values: { ...sample.values, replicationLagMs: Math.max(0, nearest.primaryMs - appliedMs) } }
}

/** The outcome of one command to a server. */
export type Poll = { readonly ms: number; readonly bytes: number; readonly ok: boolean }

/** Everything that was collected about one member in one window. */
export type Observation = {
  readonly member: string
  /** Samples in the window, and just before and after it. */
  readonly samples: readonly Sample[]
  readonly polls: readonly Poll[]
  /** Start and end of the window by the server's clock. Null where the server did not answer. */
  readonly startMs: number | null
  readonly endMs: number | null
  /** Length of the window by the client's clock. */
  readonly durationMs: number
  /** Why a source returned no data. */
  readonly trouble: Readonly<Partial<Record<SourceName, string>>>
}

/** The window by the server's clock. A missing end is computed from the other one. Null where both are missing. */
function computeWindow({
  startMs,
  endMs,
  durationMs,
}: Observation): { readonly fromMs: number; readonly toMs: number } | null {
  if (startMs !== null) return { fromMs: startMs, toMs: endMs ?? startMs + durationMs }
  return endMs === null ? null : { fromMs: endMs - durationMs, toMs: endMs }
}
