import { type JsonObject } from '../../../core/json.ts'
import { readableNumber } from '../../../metrics/format.ts'
import { type MadeSpec } from '../collection/spec-of-collection.ts'
import { specName } from '../names.ts'
import { type RecordedCalls } from './read-calls.ts'

/** Calls whose number varies more than by chance come in bursts: see `Arrivals`. */
const bursts = 1.5

/** The spec of calls as if they were profiled, with the recording's words and the rate of its calls. */
export function specOfRecording({ database, summary }: RecordedCalls, made: MadeSpec): MadeSpec {
  const { arrivals, header, calls } = summary
  const ratePerSecond = Math.max(0.1, Number(arrivals.perSecond.toPrecision(3)))
  const note =
    arrivals.dispersion !== null && arrivals.dispersion > bursts
      ? [
          `Calls came in bursts (dispersion ${readableNumber(arrivals.dispersion)}); here they come by chance, at their mean rate.`,
        ]
      : []
  const { workers: _, ...parameters } = made.spec['parameters'] as JsonObject
  const [phase] = made.spec['phases'] as readonly JsonObject[]
  const load = { kind: 'open', ratePerSecond: { '@param': 'ratePerSecond' } }
  return {
    ...made,
    notes: [...made.notes, ...note],
    spec: {
      ...made.spec,
      name: specName(`${database}-recording`),
      title: `Operations in a recording of ${database}`,
      description: [
        `Made from ${calls} calls recorded at ${header.beganAt}: one operation for each query shape, weighted by its frequency.`,
        ...(made.spec['description'] as readonly string[]).slice(1),
        ...note,
      ],
      parameters: { ...parameters, ratePerSecond },
      phases: [{ ...phase, load }],
    },
  }
}
