import { type Clock } from '../../../core/clock.ts'
import { agentLost } from '../agent-lost.ts'
import { type AgentRequest, type SpecWork } from '../messages.ts'
import { type AgentLink } from './agent-link.ts'
import { askInTime } from './ask-in-time.ts'
import { askOnDeployment } from './ask-on-deployment.ts'

/** As long as preparing a phase: the same is looked at. */
const answerMs = 60_000

/** What agents are asked before the data of a spec is loaded. */
export type BeforeLoad = {
  readonly work: SpecWork
  /** Variable of the URI. */
  readonly uriFrom: string
  /** Looks which deployment the coordinator reaches by it. */
  readonly deployment: () => Promise<string>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

/**
 * Asks each agent whether it could run a spec: whether its machine allows that, and its URI leads to the same deployment.
 * @throws {Problem} with the name of an agent that could not.
 */
export async function askBeforeLoad(
  links: readonly Pick<AgentLink, 'name' | 'ask' | 'lose'>[],
  { work, uriFrom, deployment, clock }: BeforeLoad,
): Promise<void> {
  const known = await deployment()
  const patience = { firstMs: answerMs, missing: `has not looked at the spec for ${answerMs / 1000} s` }
  await Promise.all(
    links.map(async (link) => {
      const ask = (one: string) => {
        const request: AgentRequest = { kind: 'check', work, uriFrom, deployment: one }
        return askInTime(link, request, { patience, clock })
      }
      const { kind } = await askOnDeployment({ name: link.name, deployment: known, lookAgain: deployment, ask })
      if (kind !== 'done') throw agentLost(link.name, `answered "${kind}" instead of "done"`)
    }),
  )
}
