import { type Observation } from '../../../src/servers/resources/member-resources.ts'
import { type Sample } from '../../../src/servers/resources/sample.ts'

/** A sample with nothing in it but what a test is about. */
export function sampleAt(atMs: number, values: Sample['values'], rest: Partial<Sample> = {}): Sample {
  const appliedMs = new Map<string, number>()
  return {
    source: 'getDiagnosticData',
    atMs,
    role: 'standalone',
    pid: 1,
    uptimeMs: atMs,
    values,
    setName: null,
    appliedMs,
    ...rest,
  }
}

export function observationOf(samples: readonly Sample[], rest: Partial<Observation> = {}): Observation {
  return { member: 'member0', samples, polls: [], startMs: 0, endMs: 1000, durationMs: 1000, trouble: {}, ...rest }
}
