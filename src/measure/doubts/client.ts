import { type PhaseResult } from '../../results/schema.ts'
import { type Doubt, percent } from './doubt.ts'

/** Little's law may be off by so much. */
const mostIdle = 0.1
/** Timers that fire later than this delay answers by as much. */
const mostLoopDelayMs = 10

/** Of several threads, those that were too busy. */
function whoWasBusy({ eventLoopUtilization, threads }: PhaseResult['client']): string {
  const busy = threads.filter(({ saturated }) => saturated).length
  if (busy === 0) return `This client was busy for ${percent(eventLoopUtilization)}`
  return `${busy} of ${threads.length} threads of this client were too busy, the worst for ${percent(eventLoopUtilization)}`
}

export const ofClient: readonly Doubt[] = [
  {
    code: 'client-limited',
    finds: (phase) =>
      phase.client.saturated ? `${whoWasBusy(phase.client)} of the window and may have set the pace` : undefined,
    advice:
      'The server may be faster than this row says. Use fewer workers or a lower rate, more "threads" where the machine has cores to spare, or a faster client machine.',
  },
  {
    code: 'event-loop-delay',
    finds: ({ client: { eventLoopDelayP99Ms } }) =>
      eventLoopDelayP99Ms !== null && eventLoopDelayP99Ms > mostLoopDelayMs
        ? `Timers of this client fired up to ${Math.round(eventLoopDelayP99Ms)} ms late, and answers waited as long`
        : undefined,
    advice: 'Latencies hold that wait. Use smaller batches, fewer workers, a lower rate or an idle client machine.',
  },
  {
    code: 'idle-workers',
    finds: ({ littlesLaw }) =>
      littlesLaw !== null && Math.abs(littlesLaw - 1) > mostIdle
        ? `Workers waited for answers ${percent(littlesLaw)} of the time, where a closed loop should be near 100 %`
        : undefined,
    advice:
      'The client spent the rest on building documents, or on waiting for a last slow call. Fewer workers were at work than the row says.',
  },
]
