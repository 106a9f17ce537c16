import { type Clock } from '../../../core/clock.ts'
import { type UnitPart } from '../../../load/load-unit.ts'
import { agentLost } from '../agent-lost.ts'
import { beatMs } from '../keys.ts'
import { type AgentAnswer, type AgentRequest } from '../messages.ts'
import { type AgentLink } from './agent-link.ts'

/** How long an agent may be silent about a request. */
export type Patience = {
  /** Until its first part, or its answer. */
  readonly firstMs: number
  /** From then on, between two parts and until its answer. */
  readonly thenMs?: number
  /** What it has not done, for the message. */
  readonly missing: string
}

/** Asks an agent, which is lost when it is silent for too long. A process that stood still itself looks once more before it decides. */
export async function askInTime(
  link: Pick<AgentLink, 'name' | 'ask' | 'lose'>,
  request: AgentRequest,
  {
    patience: { firstMs, thenMs = firstMs, missing },
    clock,
    onPart,
  }: {
    readonly patience: Patience
    readonly clock: Pick<Clock, 'now' | 'sleep'>
    readonly onPart?: (part: UnitPart) => void
  },
): Promise<AgentAnswer> {
  const answered = new AbortController()
  let dueMs = clock.now() + firstMs
  async function loseWhenSilent(): Promise<void> {
    while (clock.now() < dueMs && !answered.signal.aborted) {
      await clock.sleep(Math.ceil(dueMs - clock.now()), answered.signal)
      if (clock.now() > dueMs + beatMs) dueMs = clock.now() + beatMs
    }
    if (!answered.signal.aborted) link.lose(agentLost(link.name, missing))
  }
  void loseWhenSilent()
  try {
    return await link.ask(request, (part) => {
      dueMs = clock.now() + thenMs
      onPart?.(part)
    })
  } finally {
    answered.abort()
  }
}
