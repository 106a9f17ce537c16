import { type Clock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { type WatchTimes } from '../keys.ts'
import { agentLost } from '../messages.ts'

/** Status of an agent as its coordinator sees it. */
export type AgentStatus = {
  readonly name: string
  /** Whether the claim on it still holds. */
  readonly isClaimed: boolean
  readonly state: AgentState
}

/** State that an agent announces; "silent": there has been no announcement for `announcedForMs`. */
export type AgentState = 'there' | 'stopped' | 'silent'

const describeGone = (state: Exclude<AgentState, 'there'>, { announcedForMs }: WatchTimes): string =>
  state === 'stopped' ? 'was stopped' : `is gone: it has not announced itself for ${announcedForMs / 1000} s`

/** All that a coordinator knows when it decides whether its run goes on. */
export type HeartbeatSnapshot = {
  readonly nowMs: number
  /** Time of the queue's last answer. */
  readonly answeredMs: number
  /** For how long this process itself last stood still. 0: not since the run began. */
  readonly pausedMs: number
  readonly statuses: readonly AgentStatus[]
}

/** Why a run has lost its agents. Undefined: it has not. */
export function lossReason(
  { nowMs, answeredMs, pausedMs, statuses }: HeartbeatSnapshot,
  times: WatchTimes,
): Problem | undefined {
  const free = statuses.find(({ isClaimed }) => !isClaimed)
  if (free !== undefined && pausedMs > 0) return processPaused(pausedMs)
  if (free !== undefined) return agentLost(free.name, 'is no longer claimed for this run: the queue has lost its data')
  for (const { name, state } of statuses) if (state !== 'there') return agentLost(name, describeGone(state, times))
  return nowMs - answeredMs > times.maxSilenceMs ? queueSilent(times) : undefined
}

const queueSilent = ({ maxSilenceMs }: WatchTimes): Problem =>
  new Problem('agents-unavailable', `The queue of the agents has not answered for ${maxSilenceMs / 1000} s`, {
    hint: 'Agents end their load by themselves. Check Redis or Valkey; --resume runs the rows that are left.',
  })

const processPaused = (ms: number): Problem =>
  new Problem(
    'agents-unavailable',
    `This process stood still for ${(ms / 1000).toFixed(0)} s, and its agents have ended their load meanwhile`,
    { hint: 'Let nothing stop or suspend the machine of the run. --resume runs the rows that are left.' },
  )

export type WatchOptions = {
  /** Renews the claims and sees what has become of the agents. It may reject, or not end at all, while Redis is gone. */
  readonly look: () => Promise<readonly AgentStatus[]>
  readonly markLost: (reason: Problem) => void
  readonly times: WatchTimes
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly signal: AbortSignal
}

/** Looks with each beat, and loses the agents as soon as there is a reason to, until the signal aborts. */
export async function watchAgents({ look, markLost, times, clock, signal }: WatchOptions): Promise<void> {
  let answeredMs = clock.now()
  let beganMs = answeredMs
  let pausedMs = 0
  let statuses: readonly AgentStatus[] = []
  let isLooking = false

  function decide(): void {
    const reason = lossReason({ nowMs: clock.now(), answeredMs, pausedMs, statuses }, times)
    if (reason !== undefined) markLost(reason)
  }

  async function lookOnce(): Promise<void> {
    isLooking = true
    try {
      statuses = await look()
      answeredMs = clock.now()
      decide()
    } catch {
      // The connection is broken, and is made anew: how long that may take is decided with each beat.
    } finally {
      isLooking = false
    }
  }

  while (!signal.aborted) {
    const lateMs = clock.now() - beganMs - times.beatMs
    beganMs = clock.now()
    if (lateMs > times.minPauseMs) {
      pausedMs = lateMs
      // Answers may have come that are not read yet.
      answeredMs = beganMs
    }
    if (!isLooking) void lookOnce()
    decide()
    await clock.sleep(times.beatMs, signal)
  }
}
