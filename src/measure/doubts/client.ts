import { type PhaseResult } from '../../results/schema.ts'
import { type Doubt, type Measured, percent } from './doubt.ts'

/** Little's law may be off by so much. */
const mostIdle = 0.1
/** An event loop later than this delays answers by as much. */
const mostLoopDelayMs = 10
/** Less than this share of what the calls took anyway tells nothing else of them. */
const leastShareOfLatency = 0.1

/** Of several threads, those that were too busy. */
function whoWasBusy({ eventLoopUtilization, threads }: PhaseResult['client']): string {
  const busy = threads.filter(({ saturated }) => saturated).length
  if (busy === 0) return `This client was busy for ${percent(eventLoopUtilization)}`
  return `${busy} of ${threads.length} threads of this client were too busy, the worst for ${percent(eventLoopUtilization)}`
}

/** Calls of all operations wait for the same event loop: one to which the delay matters is enough. */
const matters = (delayMs: number, { operations }: Measured): boolean =>
  operations.some(({ latency: { ok } }) => ok !== null && delayMs > leastShareOfLatency * ok.p99Ms)

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
    finds: (phase) => {
      const { eventLoopDelayP99Ms: delayMs } = phase.client
      return delayMs !== null && delayMs > mostLoopDelayMs && matters(delayMs, phase)
        ? `The event loop of this client was ${Math.round(delayMs)} ms late (99th percentile), and answers waited as long`
        : undefined
    },
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
