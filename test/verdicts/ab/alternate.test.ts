import { expect, test } from 'vitest'
import { type SideName } from '../../../src/results/schema/pairing.ts'
import { alternate, type Turns } from '../../../src/verdicts/ab/alternate.ts'

const pairs = [
  ['a', 'b'],
  ['b', 'a'],
] as const

/** A side that takes turns until it has had enough, and writes down when it begins and ends one. */
async function takeTurns(turns: Turns, side: SideName, log: string[]): Promise<void> {
  for (let seconds = await turns.wait(side); seconds !== undefined; seconds = await turns.wait(side)) {
    log.push(`${side} begins ${seconds}`)
    await Promise.resolve()
    log.push(`${side} ends`)
  }
}

test('one side sends calls while the other one waits, in the order of the pairs', async () => {
  const log: string[] = []
  const turns = alternate(0.5, () => pairs)
  await Promise.all([takeTurns(turns, 'a', log), takeTurns(turns, 'b', log)])
  expect(log).toEqual(['a', 'b', 'b', 'a'].flatMap((side) => [`${side} begins 0.5`, `${side} ends`]))
})

test('pairs are planned when both sides are ready, once for each phase', async () => {
  const log: string[] = []
  let planned = 0
  const turns = alternate(1, () => [pairs[planned++ % 2] ?? pairs[0]])
  const first = takeTurns(turns, 'b', log)
  await Promise.resolve()
  expect(planned).toBe(0)
  await Promise.all([first, takeTurns(turns, 'a', log)])
  await Promise.all([takeTurns(turns, 'a', log), takeTurns(turns, 'b', log)])
  expect(log.filter((line) => line.includes('begins'))).toEqual([
    'a begins 1',
    'b begins 1',
    'b begins 1',
    'a begins 1',
  ])
})

test('when one side has ended the other one gets no more turns', async () => {
  const turns = alternate(1, () => pairs)
  const waiting = turns.wait('a')
  turns.end()
  expect(await waiting).toBeUndefined()
  expect(await turns.wait('a')).toBeUndefined()
})
