import { formatQuantity } from '../../../core/quantities.ts'
import { toArrivals } from '../../../traffic/inspect/arrivals.ts'
import { type Draft, timedLoad } from '../draft.ts'
import { type RecordedCalls } from './read-calls.ts'

/** The spec of calls as if they were profiled, with the recording's words and the rate of its calls. */
export function specOfRecording({ database, summary }: RecordedCalls, draft: Draft): Draft {
  const { arrivals, header, calls } = summary
  const ratePerSecond = Math.max(0.1, Number(arrivals.perSecond.toPrecision(3)))
  const spacing = toArrivals(arrivals.dispersion)
  const { workers: _, ...parameters } = timedLoad.parameters
  const load = {
    kind: 'open',
    ratePerSecond: { '@param': 'ratePerSecond' },
    ...(spacing !== 'poisson' && { arrivals: spacing }),
  }
  return {
    ...draft,
    name: `${database}-recording`,
    title: `Operations in a recording of ${database}`,
    description: [
      `Made from ${formatQuantity(calls, 'call')} recorded at ${header.beganAt}: one operation for each query shape, weighted by its frequency.`,
      ...draft.description.slice(1).map(inRecording),
    ],
    notes: { ...draft.notes, lines: () => draft.notes.lines().map(inRecording) },
    load: { ...timedLoad, parameters: { ...parameters, ratePerSecond } },
    phases: draft.phases.map((phase) => ({ ...phase, load })),
  }
}

const inRecording = (note: string): string => note.replaceAll('the profile', 'the recording')
