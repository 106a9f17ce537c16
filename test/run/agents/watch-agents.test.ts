import { expect, test } from 'vitest'
import { type Problem } from '../../../src/core/errors.ts'
import { type Claim, createClaim, reasonToLeave } from '../../../src/run/agents/agent/reason-to-leave.ts'
import { lossReason, type AgentStatus, watchAgents } from '../../../src/run/agents/coordinator/watch-agents.ts'
import { watchTimes } from '../../../src/run/agents/keys.ts'
import { steppedClock } from '../../fakes/stepped-clock.ts'

const { announcedForMs, beatMs, claimedForMs } = watchTimes
const at = (nowMs: number) => ({ nowMs, times: watchTimes })
const maxMs = 15_000
/** At which moments between two beats something fails. */
const moments = [0, 1, 250, 500, 999]

const sight = (seen: Partial<AgentStatus> = {}): AgentStatus => ({
  name: 'north',
  isClaimed: true,
  state: 'there',
  ...seen,
})

/** Watches an agent of which something fails at a moment, and returns when that was noticed. */
async function noticed(
  failsAtMs: number,
  look: (sinceMs: number) => Promise<readonly AgentStatus[]>,
): Promise<{ readonly afterMs: number; readonly reason: Problem } | undefined> {
  const clock = steppedClock()
  const ending = new AbortController()
  const lost: { readonly afterMs: number; readonly reason: Problem }[] = []
  const watching = watchAgents({
    look: () => look(clock.now() - failsAtMs),
    markLost: (reason) => void lost.push({ afterMs: clock.now() - failsAtMs, reason }),
    times: watchTimes,
    clock,
    signal: ending.signal,
  })
  await clock.pass(failsAtMs + 60_000)
  ending.abort()
  await watching
  return lost[0]
}

const never = new Promise<never>(() => {})

test.each(moments)('an agent that is gone %i ms after a beat loses the run within 15 s', async (moment) => {
  // It announced itself for the last time a moment before.
  const found = await noticed(20_000 + moment, async (ms) => [
    sight({ state: ms < announcedForMs ? 'there' : 'silent' }),
  ])
  expect(found?.reason).toSay('agent-gone', { agent: 'north', seconds: 10 })
  expect(found?.afterMs).toBeLessThanOrEqual(maxMs)
})

test('an agent that was stopped loses the run at the next look, with that reason', async () => {
  const found = await noticed(20_000, async (ms) => [sight({ state: ms < 0 ? 'there' : 'stopped' })])
  expect(found?.reason).toSay('agent-stopped', { agent: 'north' })
  expect(found?.afterMs).toBeLessThanOrEqual(beatMs)
})

test.each(moments)('a claim that is gone %i ms after a beat loses the run within 15 s', async (moment) => {
  const found = await noticed(20_000 + moment, async (ms) => [sight(), sight({ name: 'south', isClaimed: ms < 0 })])
  expect(found?.reason).toSay('agent-not-claimed', { agent: 'south' })
  expect(found?.afterMs).toBeLessThanOrEqual(maxMs)
})

test.each([
  ['answers with errors', () => Promise.reject(new Error('LOADING'))],
  ['answers nothing', () => never],
])('a queue that %s loses the run within 15 s', async (_what, fail) => {
  for (const moment of moments) {
    const found = await noticed(20_000 + moment, async (ms) => (ms < 0 ? [sight()] : await fail()))
    expect(found?.reason).toSay('agents-queue-silent', { seconds: 8 })
    expect(found?.afterMs).toBeLessThanOrEqual(maxMs)
  }
})

const there = () => Promise.resolve([sight()])

test('a queue that is away for six seconds loses nothing', async () => {
  const found = await noticed(20_000, (ms) => (ms < 0 || ms > 6000 ? there() : Promise.reject(new Error())))
  expect(found).toBe(undefined)
})

test('agents that are there are not lost', async () => {
  expect(await noticed(20_000, async () => [sight(), sight({ name: 'south' })])).toBe(undefined)
})

test('a process that stood still says so, when its claims have run out meanwhile', () => {
  const seen = { nowMs: 30_000, answeredMs: 29_990, pausedMs: 19_600, statuses: [sight({ isClaimed: false })] }
  expect(lossReason(seen, watchTimes)).toSay('agents-process-stood-still', { seconds: 20 })
})

test('the queue is not taken for silent while this process stood still itself', async () => {
  const clock = steppedClock()
  let stoppedMs = 0
  const stopping = { ...clock, now: () => clock.now() + stoppedMs }
  const ending = new AbortController()
  const lost: Problem[] = []
  const watching = watchAgents({
    look: async () => [sight()],
    markLost: (reason) => void lost.push(reason),
    times: watchTimes,
    clock: stopping,
    signal: ending.signal,
  })
  await clock.pass(5500)
  stoppedMs = 9000
  await clock.pass(5000)
  ending.abort()
  await watching
  expect(lost).toEqual([])
})

/** When an agent leaves: its coordinator renews the claim, and the agent looks at it, each once a second until something fails. */
function leavesAtMs(
  fails: { readonly coordinatorMs: number; readonly queueMs: number },
  beatsAtMs: number,
): { readonly atMs: number; readonly because: string } {
  let known: Claim = { run: 'r', untilMs: claimedForMs }
  for (let nowMs = beatsAtMs; ; nowMs += beatMs) {
    const renewedMs = Math.floor(Math.min(nowMs, fails.coordinatorMs, fails.queueMs) / beatMs) * beatMs
    const leftMs = renewedMs + claimedForMs - nowMs
    const seen = leftMs > 0 ? createClaim('r', { askedMs: nowMs, leftMs }) : undefined
    const because = reasonToLeave(known, nowMs < fails.queueMs ? seen : 'no answer', at(nowMs))
    if (because !== undefined) return { atMs: nowMs, because }
    if (nowMs < fails.queueMs && seen !== undefined) known = seen
  }
}

test.each(moments)('an agent leaves within 15 s, when coordinator or queue fail %i ms after its beat', (moment) => {
  for (const beatsAtMs of moments) {
    const atMs = 20_000 + moment
    const coordinator = leavesAtMs({ coordinatorMs: atMs, queueMs: Infinity }, beatsAtMs)
    const queue = leavesAtMs({ coordinatorMs: Infinity, queueMs: atMs }, beatsAtMs)
    expect(coordinator.because).toSay('agent-leaves-over')
    expect(queue.because).toSay('agent-leaves-unseen', { seconds: 10 })
    expect(Math.max(coordinator.atMs, queue.atMs) - atMs).toBeLessThanOrEqual(maxMs)
  }
})

test('a queue that fails after the coordinator gives the agent no second patience', () => {
  const left = leavesAtMs({ coordinatorMs: 20_000, queueMs: 29_500 }, 300)
  expect(left.atMs - 20_000).toBeLessThanOrEqual(maxMs)
})

test('an agent whose claim is renewed stays, also through a short silence of the queue', () => {
  const known = createClaim('r', { askedMs: 1000, leftMs: 9500 })
  expect(reasonToLeave(known, 'no answer', at(10_000))).toBe(undefined)
  expect(reasonToLeave(known, createClaim('r', { askedMs: 10_000, leftMs: 9900 }), at(10_010))).toBe(undefined)
  expect(reasonToLeave(known, createClaim('s', { askedMs: 2000, leftMs: 9900 }), at(2000))).toSay(
    'agent-leaves-for-another',
  )
})
