import { type Clock } from '../../../core/clock.ts'
import { agentLost } from '../agent-lost.ts'
import { type AgentRequest, type SpecWork } from '../messages.ts'
import { type AgentLink } from './agent-link.ts'
import { askOnDeployment } from './agent-unit.ts'
import { askInTime } from './ask-in-time.ts'

/** Time for an answer, as long as for preparing a phase: the same is looked at. */
const answerMs = 60_000

/** Questions to agents before the data of a spec is loaded. */
type BeforeLoad = {
  readonly work: SpecWork
  /** Variable of the URI. */
  readonly uriFrom: string
  /** Looks which deployment the coordinator reaches by it. */
  readonly deployment: () => Promise<string>
  /** How much longer the answer may take. Default: 0. */
  readonly patienceMs?: number
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

/**
 * Asks each agent whether it could run a spec: whether its machine allows that, and its URI leads to the same deployment.
 * @throws {Problem} with the name of an agent that could not.
 */
export async function askBeforeLoad(
  links: readonly Pick<AgentLink, 'name' | 'ask' | 'markLost'>[],
  { work, uriFrom, deployment, patienceMs = 0, clock }: BeforeLoad,
): Promise<void> {
  const known = await deployment()
  const firstReplyTimeoutMs = answerMs + patienceMs
  const missing = `has not looked at the spec for ${Math.round(firstReplyTimeoutMs / 1000)} s`
  const timeouts = { firstReplyTimeoutMs, missing }
  await Promise.all(
    links.map(async (link) => {
      const ask = (one: string) => {
        const request: AgentRequest = { kind: 'check', work, uriFrom, deployment: one }
        return askInTime(link, request, { timeouts, clock })
      }
      const { kind } = await askOnDeployment({ name: link.name, deployment: known, lookAgain: deployment, ask })
      if (kind !== 'done') throw agentLost(link.name, `answered "${kind}" instead of "done"`)
    }),
  )
}
