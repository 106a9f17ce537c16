import { type PhaseResult } from '../../results/schema.ts'
import { type Doubt, list, type Measured, percent } from './warning.ts'

/** Share of the CPU time of a machine that other processes may use. */
const maxOtherLoad = 0.05

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

const loaded = ({ otherLoad }: Measured): Measured['otherLoad'] =>
  otherLoad.filter(({ cpuPercent }) => cpuPercent / 100 > maxOtherLoad)

/** The client competes for its CPU: more threads would not get more of it. */
const sharesItsMachine = (phase: Measured): boolean => loaded(phase).some(({ runs }) => runs.includes('client'))

export const ofClient: readonly Doubt[] = [
  {
    code: 'other-load',
    finds: (phase) => {
      const machines = list(
        loaded(phase).map(
          ({ runs, cpuPercent }) => `${percent(cpuPercent / 100)} on the machine of ${runs.join(', ')}`,
        ),
      )
      return machines && `Other processes used CPU time that the client or the servers could have had: ${machines}`
    },
    advice: 'Stop them, or measure on a machine that is idle otherwise. The difference between two rows may be theirs.',
  },
  {
    code: 'client-limited',
    finds: (phase) =>
      phase.client.saturated ? `${whoWasBusy(phase.client)} of the window and may have set the pace` : undefined,
    advice: (phase) =>
      sharesItsMachine(phase)
        ? 'The server may be faster than this row shows. First stop the other processes on this machine, and run again: as it is, the client cannot use more CPU.'
        : 'The server may be faster than this row says. Use fewer workers or a lower rate, more "threads" where the machine has cores to spare, or a faster client machine.',
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
