import { expect, test } from 'vitest'
import { type UnitPart } from '../../../src/load/load-unit.ts'
import { type AgentLink } from '../../../src/run/agents/coordinator/agent-link.ts'
import { askInTime } from '../../../src/run/agents/coordinator/ask-in-time.ts'
import { type AgentAnswer } from '../../../src/run/agents/messages.ts'
import { steppedClock } from '../../fakes/stepped-clock.ts'

const aPart = {} as UnitPart

/** An agent that hands over parts and answers when it is made to. */
function fakeLink() {
  let part: ((part: UnitPart) => void) | undefined
  let answer: ((answer: AgentAnswer) => void) | undefined
  const lost: string[] = []
  const link: Pick<AgentLink, 'name' | 'ask' | 'markLost'> = {
    name: 'north',
    ask: (_request, onPart) => {
      part = onPart
      return new Promise((resolve) => (answer = resolve))
    },
    markLost: ({ message }) => void lost.push(message),
  }
  return { link, lost, part: () => part?.(aPart), answer: () => answer?.({ kind: 'done' }) }
}

const timeouts = { firstReplyTimeoutMs: 12_000, timeoutMs: 10_000, missing: 'did nothing' }

function setUp(stoppedMs: () => number = () => 0) {
  const clock = steppedClock()
  const { link, ...agent } = fakeLink()
  const pausing = { ...clock, now: () => clock.now() + stoppedMs() }
  return { clock, ...agent, asked: askInTime(link, { kind: 'close', phase: '/1' }, { timeouts, clock: pausing }) }
}

test('an agent that is silent is lost, by name and with what it has not done', async () => {
  const { clock, lost } = setUp()
  await clock.pass(11_999)
  expect(lost).toEqual([])
  await clock.pass(1)
  expect(lost).toEqual([expect.toSay('agent-lost', { agent: 'north', missing: 'did nothing' })])
})

test.each([0, 1, 500, 999])('an agent that stops %i ms after a part is lost within 15 s', async (moment) => {
  const { clock, lost, part } = setUp()
  for (let i = 0; i < 60; i++) {
    await clock.pass(1000)
    part()
  }
  await clock.pass(moment)
  const stoppedMs = clock.now()
  expect(lost).toEqual([])
  while (lost.length === 0) await clock.pass(100)
  expect(clock.now() - stoppedMs).toBeLessThanOrEqual(15_000)
})

test('after its answer nothing more is expected of it', async () => {
  const { clock, lost, answer, asked } = setUp()
  await clock.pass(5000)
  answer()
  expect(await asked).toEqual({ kind: 'done' })
  await clock.pass(60_000)
  expect(lost).toEqual([])
})

test('a process that stood still reads what has come meanwhile before it decides', async () => {
  let stoppedMs = 0
  const { clock, lost, part } = setUp(() => stoppedMs)
  await clock.pass(1000)
  part()
  stoppedMs = 20_000
  await clock.pass(10_500)
  part()
  await clock.pass(5000)
  expect(lost).toEqual([])
})
