import { Problem } from '../../../core/errors.ts'
import { type AgentAnswer } from '../messages.ts'

/** What asking an agent about the deployment of a run needs. */
export type OnDeployment = {
  /** Of the agent. */
  readonly name: string
  /** As the coordinator knows it. */
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
  throw new Problem('refused', `The URI of the agent ${name} leads to another deployment than that of the run`, {
    hint: 'At the agent, give the URI of the same replica set or cluster as the run has, and with it the same primary.',
  })
}
