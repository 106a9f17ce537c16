import { isUnderASecond } from '../../../results/warnings/weights.ts'
import { figure, type WarningRule, list, type Measured, share, type Wording, wording } from './warning.ts'

/** Share of the CPU time of a machine that other processes may use. */
const maxOtherLoad = 0.05

/** Maximum relative error of Little's law. */
const maxLittlesLawError = 0.1
/** A longer delay of the event loop delays answers noticeably. */
const maxLoopDelayMs = 10
/** A delay below this share of the 99th percentile does not matter. */
const minShareOfLatency = 0.1

/** How busy the client was: of several threads, those that were too busy. */
function busyText({ client: { eventLoopUtilization, threads }, agents }: Measured): Wording {
  const busy = threads.filter(({ saturated }) => saturated).length
  const names = agents.flatMap(({ name, limitedBy }) => (limitedBy === null ? [] : name))
  if (names.length > 0)
    return wording`Threads of the agents were too busy: ${figure(busy)} of ${String(threads.length)} (on ${names.join(', ')}), the worst for ${share(eventLoopUtilization)}`
  if (busy === 0) return wording`This client was busy for ${share(eventLoopUtilization)}`
  return wording`Threads of this client were too busy: ${figure(busy)} of ${String(threads.length)}, the worst for ${share(eventLoopUtilization)}`
}

/** All operations share the event loop: the delay matters if it matters for one of them. */
const matters = (delayMs: number, { operations }: Measured): boolean =>
  operations.some(({ latency: { ok } }) => ok !== null && delayMs > minShareOfLatency * ok.p99Ms)

const loaded = ({ otherLoad }: Measured): Measured['otherLoad'] =>
  otherLoad.filter(({ cpuPercent }) => cpuPercent / 100 > maxOtherLoad)

const withoutCpu = ({ agents }: Measured): readonly string[] =>
  agents.flatMap(({ name, limitedBy }) => (limitedBy === 'CPU' ? name : []))

/** Lists the load makers on machines where others compete for the CPU: more threads would not help there. */
function withLessCpu(phase: Measured): readonly string[] {
  const makers = phase.agents.length === 0 ? ['client'] : phase.agents.map(({ name }) => name)
  const amongOthers = makers.filter((maker) => loaded(phase).some(({ runs }) => runs.includes(maker)))
  return [...new Set([...amongOthers, ...withoutCpu(phase)])]
}

/** A later start than that is not the clock of the agent. */
const maxLateMs = 5

const late = ({ agents }: Measured): Measured['agents'] =>
  agents.filter(({ startOffsetMs, clockErrorMs }) => startOffsetMs > maxLateMs + clockErrorMs)

/** Cheaper setting for this client, for each engine. */
const cheaperEngine: Readonly<Record<Measured['engine'], string>> = { driver: '"engine": "wire", ', wire: '' }

export const ofClient: readonly WarningRule[] = [
  {
    code: 'other-load',
    finds: (phase) => {
      const machines = list(
        loaded(phase).map(
          ({ runs, cpuPercent }) => wording`${figure(cpuPercent, '%')} on the machine of ${runs.join(', ')}`,
        ),
      )
      return machines && wording`Other programs used the CPU: ${machines}`
    },
    advice: 'Stop them, or measure on an idle machine: they may have caused differences between rows.',
  },
  {
    code: 'other-load-unknown',
    finds: (phase) =>
      phase.otherLoad.length === 0
        ? wording`Other programs may have used the CPU: ${isUnderASecond(phase) ? 'the window was too short to see it' : 'this system, or a server, does not report its CPU time'}`
        : undefined,
    advice: 'Compare with other rows only if you know that the machines were otherwise idle.',
  },
  {
    code: 'client-limited',
    finds: (phase) =>
      phase.client.saturated
        ? wording`${busyText(phase)} of the window, so the client was the bottleneck: throughput is a lower bound for the server`
        : undefined,
    advice: (phase) =>
      withLessCpu(phase).length > 0
        ? `The server may be faster than this row shows. First stop the other programs on the machine of ${withLessCpu(phase).join(', ')} and run again: they leave it no more CPU.`
        : `The server may be faster than this row shows. Use ${cheaperEngine[phase.engine]}fewer workers or a lower rate, more "threads" where the machine has idle cores, or a faster client machine.`,
  },
  {
    code: 'agent-limited',
    finds(phase) {
      const names = withoutCpu(phase)
      return names.length > 0
        ? wording`The machines of these agents had no CPU time left: ${names.join(', ')}. Throughput is a lower bound for the server`
        : undefined
    },
    advice: 'Use more agents, or stop what else runs on those machines.',
  },
  {
    code: 'agent-late',
    finds: (phase) => {
      const agents = list(
        late(phase).map(({ name, startOffsetMs }) => wording`${name} by ${figure(startOffsetMs, 'ms', 1)}`),
      )
      return agents && wording`Agents began to send after the common start: ${agents}`
    },
    advice:
      'Until then fewer workers sent than the row shows. Use a queue that is closer to the agents, and leave their machines idle before a run.',
  },
  {
    code: 'event-loop-delay',
    finds: (phase) => {
      const { eventLoopDelayP99Ms: delayMs } = phase.client
      return delayMs !== null && delayMs > maxLoopDelayMs && matters(delayMs, phase)
        ? wording`The event loop of this client was ${figure(delayMs, 'ms')} late (99th percentile), and answers waited as long`
        : undefined
    },
    advice: 'Latencies include that wait. Use smaller batches, fewer workers, a lower rate or an idle client machine.',
  },
  {
    code: 'idle-workers',
    finds: ({ littlesLaw }) =>
      littlesLaw !== null && Math.abs(littlesLaw - 1) > maxLittlesLawError
        ? wording`Workers waited for answers ${share(littlesLaw)} of the time; in a closed loop this should be near 100 %`
        : undefined,
    advice:
      'The client spent the rest on building documents, or on waiting for a last slow operation. The effective number of workers was lower than the row shows.',
  },
]
