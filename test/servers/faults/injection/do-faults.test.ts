import { expect, test } from 'vitest'
import {
  injectFaults,
  type FaultInjection,
  type FaultNews,
} from '../../../../src/servers/faults/injection/inject-faults.ts'
import { steppedClock } from '../../../fakes/stepped-clock.ts'
import { aFault } from '../a-fault.ts'

type Parts = { readonly [key: string]: unknown }

/** Faults that only write down what is done, with the second at which it is. */
function setUp(faults: readonly Parts[], changes: Partial<FaultInjection> = {}) {
  const clock = steppedClock(5_000)
  const over = new AbortController()
  const done: string[] = []
  const news: FaultNews[] = []
  const note = (what: string): void => void done.push(`${(clock.now() - 5_000) / 1000} ${what}`)
  const doing = injectFaults({
    phase: 'write',
    specs: faults.map(aFault),
    seed: 42,
    lastSecond: 60,
    clock,
    startMs: 5_000,
    over: over.signal,
    async begin({ spec }, { meets, onUndo }) {
      meets(['member0'])
      note(spec.kind)
      onUndo(async () => note(`un-${spec.kind}`))
    },
    primary: () => ({ member: 'member0', term: 7 }),
    onBegin: () => {},
    onNews: (one) => news.push(one),
    ...changes,
  })
  return { clock, over, done, news, note, doing }
}

test('a fault is done and undone at its times, and both are in the result', async () => {
  const { clock, doing, done, news } = setUp([{ atSeconds: 10, forSeconds: 15 }])
  await clock.pass(60_000)
  expect(done).toEqual(['10 kill', '25 un-kill'])
  expect(await doing).toEqual([
    {
      name: 'kill',
      kind: 'kill',
      occurrences: [
        {
          plannedAtSeconds: 10,
          beganAtSeconds: 10,
          doneAtSeconds: 10,
          plannedUndoSeconds: 25,
          undoneAtSeconds: 25,
          targets: ['member0'],
          primaryBefore: 'member0',
          termBefore: 7,
          error: null,
        },
      ],
      notBegun: 0,
    },
  ])
  expect(news).toMatchObject([
    { phase: 'write', name: 'kill', what: 'done', servers: ['member0'], atSeconds: 10 },
    { what: 'undone', atSeconds: 25, error: null },
  ])
})

test('faults overlap, each on its own times', async () => {
  const { clock, done } = setUp([
    { atSeconds: 10, forSeconds: 15 },
    { kind: 'pause', atSeconds: 12, forSeconds: 5, everySeconds: 10, times: 2 },
  ])
  await clock.pass(60_000)
  expect(done).toEqual(['10 kill', '12 pause', '17 un-pause', '22 pause', '25 un-kill', '27 un-pause'])
})

test('a fault that takes its time is undone when it is done, and its real times are told', async () => {
  const { clock, doing } = setUp([{ atSeconds: 10, forSeconds: 2 }], {
    async begin(_planned, { onUndo }) {
      onUndo(() => clock.sleep(3_000))
      await clock.sleep(4_000)
    },
  })
  await clock.pass(60_000)
  const [fault] = await doing
  expect(fault?.occurrences).toMatchObject([
    { plannedAtSeconds: 10, doneAtSeconds: 14, plannedUndoSeconds: 12, undoneAtSeconds: 17 },
  ])
})

test('when it is over, nothing begins any more, and what lasts is undone at once', async () => {
  const { clock, over, doing, done } = setUp([
    { atSeconds: 10, forSeconds: 15 },
    { kind: 'pause', atSeconds: 30, forSeconds: 5 },
  ])
  await clock.pass(12_000)
  over.abort()
  const [kill, pause] = await doing
  expect(done).toEqual(['10 kill', '12 un-kill'])
  expect(kill?.occurrences).toMatchObject([{ plannedUndoSeconds: 25, undoneAtSeconds: 12, error: null }])
  expect(pause?.occurrences).toEqual([])
})

test('times that are due while the one before is still being undone are counted when it is over, those after are not', async () => {
  const { clock, over, doing } = setUp([{ atSeconds: 10, forSeconds: 2, everySeconds: 5 }], {
    async begin(_planned, { onUndo }) {
      onUndo(() => clock.sleep(20_000))
    },
  })
  await clock.pass(22_000)
  over.abort()
  await clock.pass(60_000)
  expect(await doing).toMatchObject([{ occurrences: [{ plannedAtSeconds: 10 }], notBegun: 2 }])
})

test('what has failed half-way is undone at once, in the opposite order, and told', async () => {
  const second = 'the second did not work'
  const { clock, doing, done, note, news } = setUp([{ atSeconds: 10, forSeconds: 15 }], {
    async begin(_planned, { onUndo }) {
      onUndo(async () => note('un-first'))
      onUndo(async () => note('un-second'))
      throw new Error(second)
    },
  })
  await clock.pass(60_000)
  expect(done).toEqual(['10 un-second', '10 un-first'])
  const [fault] = await doing
  expect(fault?.occurrences).toMatchObject([{ error: second, undoneAtSeconds: 10 }])
  expect(news.map(({ what, error }) => [what, error])).toEqual([
    ['failed', second],
    ['undone', null],
  ])
})

test('an undo that fails keeps no other from being done, and the next time comes', async () => {
  const { clock, doing, done, note, news } = setUp([{ atSeconds: 10, forSeconds: 1, everySeconds: 20, times: 2 }], {
    async begin(_planned, { onUndo }) {
      onUndo(async () => note('un-first'))
      onUndo(() => Promise.reject(new Error('it stays so')))
    },
  })
  await clock.pass(60_000)
  expect(done).toEqual(['11 un-first', '31 un-first'])
  const [fault] = await doing
  const stays = { undoneAtSeconds: null, error: expect.toSay('fault-not-undone', { reason: 'it stays so' }) }
  expect(fault?.occurrences).toMatchObject([stays, stays])
  expect(news.filter(({ what }) => what === 'failed')).toHaveLength(2)
})

test('a fault without an end lasts until it is over', async () => {
  const { clock, over, doing, done } = setUp([{ atSeconds: 10 }], { lastSecond: Infinity })
  await clock.pass(10_000_000)
  expect(done).toEqual(['10 kill'])
  over.abort()
  expect((await doing)[0]?.occurrences).toMatchObject([{ plannedUndoSeconds: null, undoneAtSeconds: 10_000 }])
})

test('of a random fault each time tells what it drew', async () => {
  const random = { kind: 'random', name: 'soak', everySeconds: 5, times: 3, of: [{ kind: 'stepDown' }] }
  const { clock, doing } = setUp([{ ...random, forSeconds: { min: 1, max: 2 } }])
  await clock.pass(60_000)
  expect(await doing).toMatchObject([
    { name: 'soak', kind: 'random', occurrences: [{ kind: 'stepDown', plannedUndoSeconds: null }, {}, {}] },
  ])
})
