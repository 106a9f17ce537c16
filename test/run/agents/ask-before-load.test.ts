import { expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { askBeforeLoad } from '../../../src/run/agents/coordinator/session.ts'
import type { AgentAnswer, AgentRequest } from '../../../src/run/agents/messages.ts'
import { stillClock } from '../../fakes/still-clock.ts'

const work = { spec: '{}', only: [], existing: true, hash: 'h' }

/** Asks two agents, of which the second answers so. */
async function askTwo(answer: (deployment: string) => AgentAnswer, identities: readonly string[] = ['own']) {
  const asked: AgentRequest[] = []
  const looks = [...identities]
  const link = (name: string, reply: (deployment: string) => AgentAnswer) => ({
    name,
    async ask(request: AgentRequest) {
      asked.push(request)
      return reply(request.kind === 'check' ? request.deployment : '')
    },
    markLost: () => {},
  })
  await askBeforeLoad([link('north', () => ({ kind: 'done' })), link('south', answer)], {
    work,
    uriFrom: 'MONGO_PERF_URI',
    deployment: async () => looks.shift() ?? identities.at(-1) ?? '',
    clock: stillClock(),
  })
  return asked
}

const reaches =
  (own: string) =>
  (deployment: string): AgentAnswer =>
    deployment === own ? { kind: 'done' } : { kind: 'elsewhere', deployment: own }

test('each agent is asked once whether it could run a spec', async () => {
  const request = { kind: 'check', work, uriFrom: 'MONGO_PERF_URI', deployment: 'own' }
  expect(await askTwo(reaches('own'))).toEqual([request, request])
})

test('an agent with the URI of another deployment is refused by name', async () => {
  const refused = askTwo(reaches('other'))
  await expect(refused).rejects.toSay('agent-elsewhere', { agent: 'south' })
})

test('an agent that has seen an election before the run is asked again', async () => {
  expect(await askTwo(reaches('new'), ['old', 'new'])).toHaveLength(3)
})

test('what an agent does not allow ends the run', async () => {
  const refusal = new Problem('refused', 'No writes', { hint: 'Allow them.' })
  const refuse = (): never => {
    throw refusal
  }
  await expect(askTwo(refuse)).rejects.toBe(refusal)
})
