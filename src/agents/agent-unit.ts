import { type LoadUnit, type UnitRun } from '../load/load-unit.ts'
import { type AgentRun } from '../results/schema/agents.ts'
import { agentLost, type AgentLink } from './agent-link.ts'
import { type ClockOffset } from './clock-offset.ts'
import { type AgentAnswer, type AgentLoad, type AgentNotice, type AgentWork } from './messages.ts'

/** Requests pass a queue and two processes, and machines may be busy. */
const minLeadMs = 250
/** An agent that does not end its load by then is left to its own watch. */
const endMs = 5000
/** Share of the CPU time of a machine from which on there is none left. */
const busyPercent = 95

/** What a unit of an agent needs. */
export type AgentUnitOptions = {
  readonly link: AgentLink
  /** Unique in the run. */
  readonly phase: string
  readonly work: Omit<AgentWork, 'clockOriginMs'>
  /** Asks the agent for its time; called before each phase. */
  readonly offset: () => Promise<ClockOffset>
  /** Of all agents of the run, as they are known now. Milliseconds. */
  readonly roundTripMs: () => number
}

/** A unit of load that runs on an agent: as many shares as it has threads for. */
export function createAgentUnit({ link, phase, work, offset, roundTripMs }: AgentUnitOptions): LoadUnit {
  const { shares } = work
  let known: { readonly clock: ClockOffset; readonly machineSpeed: number | null } | undefined
  const notify = (act: AgentNotice['act']): void => link.notify({ phase, act })

  async function prepare(): Promise<void> {
    if (known !== undefined) return
    const clock = await offset()
    const request = { kind: 'prepare', phase, work: { ...work, clockOriginMs: clock.originMs } } as const
    const { machineSpeed } = expected(await link.ask(request), 'prepared', link.name)
    known = { clock, machineSpeed }
  }

  return {
    shares: shares.length,
    get leadMs() {
      return minLeadMs + 4 * roundTripMs()
    },
    async connect(workers) {
      await prepare()
      expected(await link.ask({ kind: 'connect', workers }), 'done', link.name)
    },
    async run(request, onPart) {
      const { runs, load } = expected(await link.ask({ kind: 'run', request }, onPart), 'ran', link.name)
      if (known === undefined || runs.length !== shares.length)
        throw agentLost(link.name, `ran ${runs.length} shares instead of ${shares.length}`)
      const { startMs, windowStartMs } = request
      const agent = agentRun({ link, work, runs, load, ...known, startMs, windowStartMs })
      return runs.map((run) => Object.assign(run, { agent }))
    },
    stop: (reason) => notify(reason === 'precision' ? 'stop: precision' : 'stop'),
    abandon: () => notify('abandon'),
    close: async () => void expected(await link.ask({ kind: 'close' }), 'done', link.name),
    async end() {
      if (known === undefined) return
      notify('end')
      if (link.isLost()) return
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, endMs)))
      await Promise.race([link.ask({ kind: 'end' }).catch(() => undefined), late])
      clearTimeout(timer)
    },
  }
}

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
  return {
    name: link.name,
    shares: work.shares.length,
    ofShares: work.shares[0]?.of ?? 0,
    startOffsetMs: Math.max(...runs.map(({ beganMs }) => beganMs)) - startMs,
    clockOffsetMs: clock.wallAheadMs,
    clockErrorMs: clock.errorMs,
    endedAtSeconds: (Math.max(...runs.map((run) => run.endMs)) - windowStartMs) / 1000,
    operations: runs.reduce((sum, { calls }) => sum + calls, 0),
    ...load,
    eventLoopUtilization: Math.max(0, ...loops.map(({ eventLoopUtilization }) => eventLoopUtilization)),
    machineSpeed,
    limitedBy: isSaturated ? 'event loop' : load.machineCpuPercent > busyPercent ? 'CPU' : null,
  }
}
