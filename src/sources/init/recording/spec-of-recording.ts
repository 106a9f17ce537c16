import { type JsonObject } from '../../../core/json.ts'
import { toArrivals } from '../../../traffic/inspect/arrivals.ts'
import { type MadeSpec } from '../collection/spec-of-collection.ts'
import { specName } from '../names.ts'
import { type RecordedCalls } from './read-calls.ts'

/** The spec of calls as if they were profiled, with the recording's words and the rate of its calls. */
export function specOfRecording({ database, summary }: RecordedCalls, made: MadeSpec): MadeSpec {
  const { arrivals, header, calls } = summary
  const ratePerSecond = Math.max(0.1, Number(arrivals.perSecond.toPrecision(3)))
  const spacing = toArrivals(arrivals.dispersion)
  const { workers: _, ...parameters } = made.spec['parameters'] as JsonObject
  const [phase] = made.spec['phases'] as readonly JsonObject[]
  const load = {
    kind: 'open',
    ratePerSecond: { '@param': 'ratePerSecond' },
    ...(spacing !== 'poisson' && { arrivals: spacing }),
  }
  return {
    ...made,
    notes: made.notes.map(inRecording),
    spec: {
      ...made.spec,
      name: specName(`${database}-recording`),
      title: `Operations in a recording of ${database}`,
      description: [
        `Made from ${calls} calls recorded at ${header.beganAt}: one operation for each query shape, weighted by its frequency.`,
        ...(made.spec['description'] as readonly string[]).slice(1).map(inRecording),
      ],
      parameters: { ...parameters, ratePerSecond },
      phases: [{ ...phase, load }],
    },
  }
}

const inRecording = (note: string): string => note.replaceAll('the profile', 'the recording')
