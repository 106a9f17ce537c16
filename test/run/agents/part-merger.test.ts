import { expect, test } from 'vitest'
import { type UnitPart } from '../../../src/load/load-unit.ts'
import { noPart } from '../../../src/load/measure/phase-part.ts'
import { createPartMerger } from '../../../src/run/agents/agent/part-merger.ts'
import { fakePhase } from '../../fakes/fake-calls.ts'
import { steppedClock } from '../../fakes/stepped-clock.ts'

const part = (calls: number, more: Partial<UnitPart> = {}): UnitPart => ({
  recorded: { ...noPart(fakePhase()), calls },
  evidence: [],
  completeBefore: 1,
  inFlight: 0,
  isLast: false,
  ...more,
})

function setUp(units: number) {
  const clock = steppedClock()
  const sent: UnitPart[] = []
  return { clock, sent, take: createPartMerger(units, (one) => sent.push(one), clock) }
}

test('what all threads hand over leaves as one part, with the calls of all and the seconds that are complete for all', () => {
  const { sent, take } = setUp(2)
  take(0, part(3, { completeBefore: 4, inFlight: 1 }))
  expect(sent).toEqual([])
  take(1, part(4, { completeBefore: 3, inFlight: 2 }))
  expect(sent).toMatchObject([{ recorded: { calls: 7 }, completeBefore: 3, inFlight: 3, isLast: false }])
})

test('a thread that hands over nothing holds the others back for 100 ms', async () => {
  const { clock, sent, take } = setUp(2)
  take(0, part(3))
  await clock.pass(99)
  expect(sent).toHaveLength(0)
  await clock.pass(1)
  expect(sent).toMatchObject([{ recorded: { calls: 3 }, completeBefore: 0 }])
})

test('the last part is that in which the last thread ends, and nothing is sent twice', async () => {
  const { clock, sent, take } = setUp(2)
  take(0, part(3, { isLast: true }))
  await clock.pass(1000)
  take(1, part(1))
  await clock.pass(1000)
  take(1, part(2, { isLast: true }))
  await clock.pass(1000)
  const parts = sent.map(({ recorded, isLast }) => `${recorded.calls}${isLast ? ' last' : ''}`)
  expect(parts).toEqual(['3', '1', '2 last'])
})
