import { expect, test } from 'vitest'
import { type PhaseEngine } from '../../src/load/engines/engine.ts'
import { createArrivalTimes } from '../../src/load/plan/arrival-times.ts'
import { type LoadPlan, type PhasePlan } from '../../src/load/plan/plan.ts'
import { fakePhase, okOutcome } from '../fakes/fake-calls.ts'
import { runHere } from '../fakes/run-here.ts'
import { virtualTime } from '../fakes/virtual-time.ts'

/** A server that answers within a millisecond, but pauses for 1.4 s. */
const pause = { fromMs: 3000, toMs: 4400 }
const seconds = 10

const answeredMs = (sentMs: number): number =>
  sentMs + 1 <= pause.fromMs || sentMs >= pause.toMs ? sentMs + 1 : pause.toMs + 1

/** Runs a phase against it; hands back its figures, and how many calls were answered more than 100 ms after they were sent. */
async function measure(plan: Pick<PhasePlan, 'load' | 'workers'>) {
  const phase = fakePhase({ stopAfter: { seconds }, ...plan })
  const { clock, run } = virtualTime()
  let slow = 0
  const engine: PhaseEngine = {
    send(_call, done) {
      const takesMs = answeredMs(clock.now()) - clock.now()
      if (takesMs > 100) slow += 1
      void clock.sleep(takesMs).then(() => done(okOutcome()))
    },
    warmUp: async () => {},
    close: async () => {},
  }
  const { operations, openLoop } = await run(() => runHere({ phase, engine, clock }))
  return { operation: operations[0], slow, openLoop }
}

const openLoad = (maxInFlight: number): Pick<PhasePlan, 'load' | 'workers'> => {
  const load: LoadPlan = {
    kind: 'open',
    arrivals: 'constant',
    maxInFlight,
    ratePerSecond: 200,
    cooldown: undefined,
    times: () =>
      createArrivalTimes({
        ramps: [{ seconds, from: 200, to: 200 }],
        arrivals: 'constant',
        seed: 1,
        place: 'test',
      }),
  }
  return { load, workers: maxInFlight }
}

test('a pause of the server is in the tail of the response times of an open loop', async () => {
  const { operation, openLoop, slow } = await measure(openLoad(1000))
  // Every call that was due in those 1.4 s waited for the rest of them: 14 % of all, evenly from 1.4 s down to nothing.
  expect(openLoop).toMatchObject({ planned: 2000, sent: 2000, dropped: 0, late: 0, peakInFlight: 281 })
  expect(slow).toBe(261)
  expect(operation?.openLoop?.response).toMatchObject({ count: 2000, maxMs: 1401, p50Ms: 1 })
  expect(operation?.openLoop?.response?.p99Ms).toBeGreaterThan(1290)
  expect(operation?.openLoop?.response?.p99Ms).toBeLessThan(1320)
  expect(operation?.openLoop?.perSecond.responseMaxMs.map((ms) => Math.round(ms ?? 0))).toEqual([
    1, 1, 1, 0, 1401, 1, 1, 1, 1, 1,
  ])
})

test('in a closed loop each worker sees it once, and the tail hides it', async () => {
  const { operation, openLoop, slow } = await measure({ load: { kind: 'closed' }, workers: 8 })
  expect(slow).toBe(8)
  expect(openLoop).toBeNull()
  expect(operation?.latency.ok).toMatchObject({ maxMs: 1401, p99Ms: 1, p999Ms: 1 })
  expect(operation?.openLoop).toBeNull()
})

test('with too few places the calls of the pause are dropped, and counted', async () => {
  const { operation, openLoop } = await measure(openLoad(20))
  expect(openLoop).toMatchObject({ planned: 2000, dropped: 261, sent: 1739, peakInFlight: 20 })
  expect(openLoop?.perSecond.dropped).toEqual([0, 0, 0, 180, 81, 0, 0, 0, 0, 0])
  expect(operation?.ok).toBe(1739)
})
