import { maxGapMs } from './history.ts'
import { type Observation, windowOf } from './observation.ts'
import { type Sample } from './sample.ts'

/** What a primary reports about the members that replicate from it, at a time since the start of the window. */
type Report = {
  readonly sinceStartMs: number
  readonly primaryMs: number
  readonly appliedMs: ReadonlyMap<string, number>
}

/**
 * Adds the replication lag to the samples of secondaries, as the primary reports it: the primary learns of progress at once,
 * while a secondary knows the primary's position only from the last heartbeat, up to two seconds ago.
 */
export function withReplicationLag(observations: readonly Observation[]): readonly Observation[] {
  const reports = observations.flatMap(reportsOf)
  return observations.map((observation) => {
    const window = windowOf(observation)
    if (!window) return observation
    return { ...observation, samples: observation.samples.map((sample) => addLag(sample, window.fromMs, reports)) }
  })
}

function reportsOf(observation: Observation): readonly Report[] {
  const window = windowOf(observation)
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
