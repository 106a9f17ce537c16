import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../src/core/clock.ts'
import { type UnitPart } from '../../../../src/load/load-unit.ts'
import { noPart } from '../../../../src/load/measure/phase-part.ts'
import { type RequestsOptions, workOnRequests } from '../../../../src/run/agents/agent/requests.ts'
import { linkToAgent } from '../../../../src/run/agents/coordinator/agent-link.ts'
import { openReplies, type Replies } from '../../../../src/run/agents/coordinator/replies.ts'
import { repliesKey } from '../../../../src/run/agents/keys.ts'
import { connectRedis, type RedisLink } from '../../../../src/run/agents/redis.ts'
import { startTestRedis, type TestRedis } from '../../../contract/support/redis.ts'
import { anAnnouncement as agent } from '../../../fakes/an-announcement.ts'

let redis: TestRedis
beforeAll(async () => {
  redis = await startTestRedis()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
})

const partNumber = (number: number): UnitPart => ({
  recorded: noPart({ operations: [], keepSamples: 0 }),
  evidence: [],
  completeBefore: number,
  inFlight: 0,
  isLast: false,
})

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })

type Ends = { readonly coordinator: RedisLink; readonly worker: RedisLink; readonly replies: Replies }

async function openEnds(run: string, answer: RequestsOptions['answer']) {
  const [coordinator, worker] = [await connectRedis(redis.url), await connectRedis(redis.url)]
  const replies = await openReplies(coordinator, run, systemClock)
  const link = await linkToAgent({ agent, name: agent.name, run }, coordinator, replies)
  const requests = await workOnRequests({
    redis: worker,
    run,
    agent: agent.id,
    name: agent.name,
    answer,
    onError: () => undefined,
  })
  const ends: Ends = { coordinator, worker, replies }
  return {
    ...ends,
    link,
    async [Symbol.asyncDispose]() {
      await link.close()
      await requests.close()
      replies.stop()
      await replies.remove()
      await worker[Symbol.asyncDispose]()
      await coordinator[Symbol.asyncDispose]()
    },
  }
}

test('parts and the answer arrive once and in order when all connections break in between', async () => {
  const broken = new AbortController()
  const sent = Array.from({ length: 60 }, (_, number) => number)
  await using ends = await openEnds('broken', async (_data, onPart) => {
    for (const number of sent.slice(0, 30)) onPart(partNumber(number))
    await untilAborted(broken.signal)
    for (const number of sent.slice(30)) onPart(partNumber(number))
    return { kind: 'done' }
  })
  const arrived: number[] = []
  const answer = ends.link.ask({ kind: 'close', phase: '/1' }, async ({ completeBefore }) => {
    arrived.push(completeBefore)
    if (arrived.length !== 10) return
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    broken.abort()
  })
  expect(await answer).toEqual({ kind: 'done' })
  expect(arrived).toEqual(sent)
})

test('a reply that is sent again is handed over once, and one of an agent of another run not at all', async () => {
  await using link = await connectRedis(redis.url)
  const replies = await openReplies(link, 'again', systemClock)
  const taken: string[] = []
  const last = new Promise<void>((resolve) => {
    replies.follow('a', ({ packed }) => {
      taken.push(String(packed))
      if (String(packed) === 'last') resolve()
    })
  })
  const add = async (from: string, number: number, reply: string): Promise<unknown> =>
    await redis.client.xadd(
      repliesKey('again'),
      '*',
      'agent',
      from,
      'number',
      String(number),
      'request',
      'r',
      'reply',
      reply,
    )
  await add('a', 1, 'first')
  await add('a', 1, 'first')
  await add('b', 1, 'of another')
  await add('a', 2, 'last')
  await last
  expect(taken).toEqual(['first', 'last'])
  expect(await redis.client.ttl(repliesKey('again'))).toBeGreaterThan(0)
  replies.stop()
  await replies.remove()
})

test('an agent that is late leaves nothing in Redis', async () => {
  const [began, over] = [new AbortController(), new AbortController()]
  {
    await using ends = await openEnds('over', async (_data, onPart) => {
      began.abort()
      await untilAborted(over.signal)
      onPart(partNumber(1))
      return { kind: 'done' }
    })
    void ends.link.ask({ kind: 'close', phase: '/1' }).catch(() => undefined)
    await untilAborted(began.signal)
    await ends.replies.remove()
    over.abort()
  }
  expect(await redis.keys()).toEqual([])
})

test('a request that cannot be worked on fails with the name of the agent', async () => {
  await using ends = await openEnds('failing', () => Promise.reject(new Error('no such thing')))
  await expect(ends.link.ask({ kind: 'close', phase: '/1' })).rejects.toSay('agent-request-failed', {
    agent: 'one',
    reason: 'no such thing',
  })
})

test('what no agent sends loses the agent', async () => {
  await using ends = await openEnds('nonsense', async () => {
    await new Promise(() => {})
    return { kind: 'done' }
  })
  const fields = ['agent', agent.id, 'number', '1', 'request', 'request-1', 'reply', 'nonsense']
  await Promise.all([
    expect(ends.link.ask({ kind: 'close', phase: '/1' })).rejects.toSay('agent-reply-unknown', { agent: 'one' }),
    redis.client.xadd(repliesKey('nonsense'), '*', ...fields),
  ])
  expect(ends.link.lost.aborted).toBe(true)
})
