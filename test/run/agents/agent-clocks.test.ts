import { expect, test } from 'vitest'
import { watchClocks } from '../../../src/run/agents/coordinator/agent-clocks.ts'
import { anAnnouncement } from '../../fakes/an-announcement.ts'
import { steppedClock } from '../../fakes/stepped-clock.ts'

/** Asks an agent for its time over a queue that does so with a question. */
async function askOver(publish: (text: string, answer: (processMs: number) => void) => Promise<unknown>) {
  const clock = steppedClock()
  const lost = new AbortController()
  let take: ((channel: string, text: string) => void) | undefined
  const clocks = await watchClocks({
    listener: { on: (_event, listen) => void (take = listen), subscribe: async () => 1 },
    client: {
      publish: (_channel, text) =>
        publish(text, (processMs) => {
          const { number } = JSON.parse(text) as { number: number }
          take?.('', JSON.stringify({ agent: anAnnouncement.id, number, processMs, wallMs: 0 }))
        }),
    },
    run: 'r',
    clock,
  })
  const offset = clocks.offsetOf({ agent: anAnnouncement, name: 'north', lost: lost.signal })
  offset.catch(() => undefined)
  return { clock, lost, offset }
}

test('the time of an agent is known from its answers', async () => {
  const { offset } = await askOver(async (_text, answer) => answer(100))
  expect(await offset).toMatchObject({ originMs: 100, errorMs: 0 })
})

test('an agent that is there and silent is blamed for it', async () => {
  const { clock, offset } = await askOver(async () => 1)
  await clock.pass(60_000)
  await expect(offset).rejects.toSay('agent-silent-clock', { agent: 'north' })
})

test.each([
  ['answers nothing', () => new Promise(() => {})],
  ['has broken', () => Promise.reject(new Error('Connection is closed.'))],
])('agents that are lost while the queue %s are not blamed: the reason is that of the loss', async (_what, publish) => {
  const { clock, lost, offset } = await askOver(publish)
  await clock.pass(500)
  const loss = new Error('The south is gone')
  lost.abort(loss)
  await expect(offset).rejects.toBe(loss)
})
