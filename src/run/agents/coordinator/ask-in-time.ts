import { type Clock } from '../../../core/clock.ts'
import { type UnitPart } from '../../../load/load-unit.ts'
import { watchTimes } from '../keys.ts'
import { agentLost, type AgentAnswer, type AgentRequest } from '../messages.ts'
import { type AgentLink } from './agent-link.ts'

/** How long an agent may be silent about a request. */
export type RequestTimeouts = {
  /** Until its first part, or its answer. */
  readonly firstReplyTimeoutMs: number
  /** From then on, between two parts and until its answer. */
  readonly timeoutMs?: number
  /** Work that is missing, for the message. */
  readonly missing: string
}

/** Asks an agent, which is lost when it is silent for too long. A process that stood still itself looks once more before it decides. */
export async function askInTime(
  link: Pick<AgentLink, 'name' | 'ask' | 'markLost'>,
  request: AgentRequest,
  {
    timeouts: { firstReplyTimeoutMs, timeoutMs = firstReplyTimeoutMs, missing },
    clock,
    onPart,
  }: {
    readonly timeouts: RequestTimeouts
    readonly clock: Pick<Clock, 'now' | 'sleep'>
    readonly onPart?: (part: UnitPart) => void
  },
): Promise<AgentAnswer> {
  const answered = new AbortController()
  let dueMs = clock.now() + firstReplyTimeoutMs
  async function markLostWhenSilent(): Promise<void> {
    while (clock.now() < dueMs && !answered.signal.aborted) {
      await clock.sleep(Math.ceil(dueMs - clock.now()), answered.signal)
      if (clock.now() > dueMs + watchTimes.beatMs) dueMs = clock.now() + watchTimes.beatMs
    }
    if (!answered.signal.aborted) link.markLost(agentLost(link.name, missing))
  }
  void markLostWhenSilent()
  try {
    return await link.ask(request, (part) => {
      dueMs = clock.now() + timeoutMs
      onPart?.(part)
    })
  } finally {
    answered.abort()
  }
}
