import { atMost, type Clock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { groupDigits } from '../../../core/quantities.ts'
import { type LoadUnit, type UnitRun } from '../../../load/load-unit.ts'
import { type AgentRun } from '../../../results/schema/agents.ts'
import { machineId } from '../machine-id.ts'
import {
  agentLost,
  type AgentAnswer,
  type AgentLoad,
  type AgentNotice,
  type AgentRequest,
  type AgentWork,
} from '../messages.ts'
import { type AgentLink } from './agent-link.ts'
import { askInTime } from './ask-in-time.ts'
import { type ClockOffset, withDrift } from './clock-offset.ts'

/** Requests pass a queue and two processes, and machines may be busy. */
const minLeadMs = 250
/** An agent that does not end its load by then is left to its own watch. */
const endsWithinMs = 5000
/** Threads report parts once a second, whether or not calls end: an agent without any for so long hangs. */
const partsWithinMs = 10_000
/** Reaching the deployment takes up to 10 s, and 30 s through an election; loading what it needs takes the rest. */
const prepareMs = 60_000
/** Besides the deadline of the phase: connections are given 10 s each, and writes 10 s to reach the server at the end. */
const connectionsMs = 60_000

export type AgentUnitOptions = {
  readonly link: AgentLink
  /** Unique in the run. */
  readonly phase: string
  readonly work: Omit<AgentWork, 'clockOriginMs'>
  readonly deadlineMs: number
  /** Asks the agent for its time; called before each phase, and after each pass of its window. */
  readonly offset: () => Promise<ClockOffset>
  /** Looks which deployment the coordinator measures, as `deploymentIdentity` does. */
  readonly deployment: () => Promise<string>
  /** Round trip to all agents of the run, as it is known now. Milliseconds. */
  readonly roundTripMs: () => number
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

/** A unit of load that runs on an agent: as many shares as it has threads for. */
export function createAgentUnit(options: AgentUnitOptions): LoadUnit {
  const { link, phase, work, deadlineMs, offset, roundTripMs, clock } = options
  const { shares } = work
  const ofConnections = connectionsMs + deadlineMs
  let known: { readonly clock: ClockOffset; readonly machineSpeed: number | null } | undefined
  let soFar: AgentRun | undefined
  let isStopped = false
  const notify = (act: AgentNotice['act']): void => link.notify({ phase, act })
  const ask = (request: AgentRequest, firstReplyTimeoutMs: number, doing: string): Promise<AgentAnswer> => {
    const missing = `has not ${doing} for ${firstReplyTimeoutMs / 1000} s`
    return askInTime(link, request, { timeouts: { firstReplyTimeoutMs, missing }, clock })
  }

  async function prepare(): Promise<void> {
    if (known !== undefined) return
    const offsetBefore = await offset()
    const prepareFor = (deployment: string): Promise<AgentAnswer> => {
      const request = { ...work, deployment, clockOriginMs: offsetBefore.originMs }
      return ask({ kind: 'prepare', phase, work: request }, prepareMs, 'prepared its share')
    }
    const { name } = link
    const { deployment } = work
    const answer = await askOnDeployment({ name, deployment, lookAgain: options.deployment, ask: prepareFor })
    const { machineSpeed } = expected(answer, 'prepared', link.name)
    known = { clock: offsetBefore, machineSpeed }
  }

  return {
    shares: shares.length,
    get leadMs() {
      return minLeadMs + 4 * roundTripMs()
    },
    async connect(workers) {
      await prepare()
      expected(await ask({ kind: 'connect', phase, workers }, ofConnections, 'connected'), 'done', link.name)
    },
    async run(request, onPart) {
      let handedOver = 0
      const timeouts = {
        firstReplyTimeoutMs: request.startMs - clock.now() + partsWithinMs,
        timeoutMs: partsWithinMs,
        missing: `has not handed over what it measures for ${partsWithinMs / 1000} s`,
      }
      const answer = await askInTime(
        link,
        { kind: 'run', phase, request },
        {
          timeouts,
          clock,
          onPart(part) {
            handedOver += part.recorded.calls
            onPart(part)
          },
        },
      )
      const { runs, load } = expected(answer, 'ran', link.name)
      refuseIncomplete(runs, { name: link.name, shares: shares.length, handedOver, isStopped })
      if (known === undefined) throw new Error('An agent ran without a connection')
      const isMeasured = request.pass === 'measured'
      const drifted = isMeasured ? withDrift(known.clock, await offset()) : known.clock
      const { startMs, windowStartMs } = request
      const one = agentRun({ link, work, runs, load, ...known, clock: drifted, startMs, windowStartMs })
      const agent = request.goesOn && soFar !== undefined ? mergeAgentRuns(soFar, one) : one
      if (isMeasured) soFar = agent
      return runs.map((run) => Object.assign(run, { agent }))
    },
    stop(reason) {
      isStopped = true
      notify(reason === 'precision' ? 'stop: precision' : 'stop')
    },
    abandon() {
      isStopped = true
      notify('abandon')
    },
    close: async () =>
      void expected(await ask({ kind: 'close', phase }, ofConnections, 'closed its connections'), 'done', link.name),
    async end() {
      if (known === undefined) return
      notify('end')
      if (link.lost.aborted) return
      await atMost(
        endsWithinMs,
        link.ask({ kind: 'end', phase }).catch(() => undefined),
        clock,
      )
    },
  }
}

type Expected = {
  readonly name: string
  readonly shares: number
  /** Calls in its parts. */
  readonly handedOver: number
  /** Whether the coordinator has ended the pass. */
  readonly isStopped: boolean
}

/** Refuses incomplete work: parts that an agent has not done, or not handed over once, must not look like a result. */
function refuseIncomplete(runs: readonly UnitRun[], { name, shares, handedOver, isStopped }: Expected): void {
  if (runs.length !== shares) throw agentLost(name, `ran ${runs.length} shares instead of ${shares}`)
  if (!isStopped && runs.some(({ endedBecause }) => endedBecause === 'aborted'))
    throw agentLost(name, 'has ended its load, because it was not sure that this run goes on')
  const calls = countCalls(runs)
  if (handedOver === calls) return
  const [made, arrived] = [calls, handedOver].map(groupDigits)
  throw agentLost(name, `made ${made} operations, and ${arrived} arrived: the queue has lost or repeated parts`)
}

const countCalls = (runs: readonly UnitRun[]): number => runs.reduce((sum, { calls }) => sum + calls, 0)

type Answers = { readonly [Kind in AgentAnswer['kind']]: Extract<AgentAnswer, { kind: Kind }> }

function expected<Kind extends AgentAnswer['kind']>(answer: AgentAnswer, kind: Kind, name: string): Answers[Kind] {
  if (answer.kind !== kind) throw agentLost(name, `answered "${answer.kind}" instead of "${kind}"`)
  return answer as Answers[Kind]
}

type Ran = {
  readonly link: AgentLink
  readonly work: Pick<AgentWork, 'shares'>
  readonly runs: readonly UnitRun[]
  readonly load: AgentLoad
  readonly clock: ClockOffset
  readonly machineSpeed: number | null
  readonly startMs: number
  readonly windowStartMs: number
}

function agentRun({ link, work, runs, load, clock, machineSpeed, startMs, windowStartMs }: Ran): AgentRun {
  const loops = runs.flatMap(({ health }) => health ?? [])
  const isSaturated = loops.some(({ saturated }) => saturated)
  const endMs = Math.max(...runs.map((run) => run.endMs))
  return {
    name: link.name,
    sameMachine: link.agent.machine === machineId(),
    shares: work.shares.length,
    ofShares: work.shares[0]?.of ?? 0,
    startOffsetMs: Math.max(...runs.map(({ beganMs }) => beganMs)) - startMs,
    clockOffsetMs: clock.wallAheadMs,
    clockErrorMs: clock.errorMs,
    endedAtSeconds: (endMs - windowStartMs) / 1000,
    operations: countCalls(runs),
    ...load,
    cpuSeconds: ((load.cpuPercent / 100) * (endMs - startMs)) / 1000,
    eventLoopUtilization: Math.max(0, ...loops.map(({ eventLoopUtilization }) => eventLoopUtilization)),
    machineSpeed,
    limitedBy: findAgentLimit(load, { threads: work.shares.length, isSaturated }),
  }
}

/** Merges the runs of an agent in several steps of one search: all of its operations and CPU time, and otherwise the worst figures of any step. */
const mergeAgentRuns = (one: AgentRun, later: AgentRun): AgentRun => ({
  ...later,
  startOffsetMs: Math.max(one.startOffsetMs, later.startOffsetMs),
  clockErrorMs: Math.max(one.clockErrorMs, later.clockErrorMs),
  operations: one.operations + later.operations,
  cpuPercent: Math.max(one.cpuPercent, later.cpuPercent),
  cpuSeconds: one.cpuSeconds + later.cpuSeconds,
  machineCpuPercent: Math.max(one.machineCpuPercent, later.machineCpuPercent),
  eventLoopUtilization: Math.max(one.eventLoopUtilization, later.eventLoopUtilization),
  rssMB: Math.max(one.rssMB, later.rssMB),
  limitedBy: later.limitedBy ?? one.limitedBy,
})

/** Share of the CPU time of a machine from which on there is none left. */
const busyPercent = 95
/** Threads whose process gets less of a core each waited for CPU, however busy they look: the time of an event loop goes on meanwhile. */
const ownCorePercent = 80

/** Finds the limit that kept an agent from sending more. Null: nothing of its own. */
export function findAgentLimit(
  { cpuPercent, machineCpuPercent }: Pick<AgentLoad, 'cpuPercent' | 'machineCpuPercent'>,
  { threads, isSaturated }: { readonly threads: number; readonly isSaturated: boolean },
): AgentRun['limitedBy'] {
  const isMachineBusy = machineCpuPercent > busyPercent
  if (isSaturated && !(isMachineBusy && cpuPercent < threads * ownCorePercent)) return 'event loop'
  return isMachineBusy ? 'CPU' : null
}

/** Options for asking an agent about the deployment of a run. */
type OnDeployment = {
  readonly name: string
  /** Deployment as the coordinator knows it. */
  readonly deployment: string
  readonly lookAgain: () => Promise<string>
  readonly ask: (deployment: string) => Promise<AgentAnswer>
}

/**
 * Asks an agent for what it does on that deployment alone.
 * @throws {Problem} "refused" when its URI leads to another one.
 */
export async function askOnDeployment({ name, deployment, lookAgain, ask }: OnDeployment): Promise<AgentAnswer> {
  let answer = await ask(deployment)
  // After an election it has found another primary than the coordinator before it.
  if (answer.kind === 'elsewhere' && answer.deployment === (await lookAgain())) answer = await ask(answer.deployment)
  if (answer.kind !== 'elsewhere') return answer
  throw new Problem('refused', `The URI of the agent ${name} leads to another deployment than the run uses`, {
    hint: 'At the agent, give the URI of the same replica set or cluster as the run has, and with it the same primary.',
  })
}
