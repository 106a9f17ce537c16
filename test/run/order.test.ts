import { expect, test } from 'vitest'
import { orderTurns } from '../../src/run/turns.ts'

const rows = ['a', 'b', 'c', 'd', 'e', 'f']
const once = { times: 1, startUpRuns: 0 }
const thrice = { times: 3, startUpRuns: 1 }

test('a single round keeps the order of the spec', () => {
  expect(orderTurns(rows, once, 1).map(({ row }) => row)).toEqual(rows)
})

test('every round of several has every row once, and no round follows on before the last has ended', () => {
  const turns = orderTurns(rows, thrice, 1)
  for (const round of [1, 2, 3]) {
    const ofRound = turns.filter(({ run }) => run === round).map(({ row }) => row)
    expect(ofRound.toSorted()).toEqual(rows)
  }
  expect(turns.map(({ run }) => run)).toEqual([1, 2, 3].flatMap((round) => rows.map(() => round)))
})

const orderOf = (seed: number): string =>
  orderTurns(rows, thrice, seed)
    .map(({ row }) => row)
    .join('')

test('rounds are in different orders, and the same ones for the same seed', () => {
  const rounds = orderOf(7).match(/.{6}/g)
  expect(new Set(rounds).size).toBe(3)
  expect(orderOf(7)).toBe(orderOf(7))
  expect(orderOf(8)).not.toBe(orderOf(7))
})

test('the first runs are start-up runs where the spec asks for some', () => {
  const startUps = orderTurns(['a'], thrice, 1).map(({ startUp }) => startUp)
  expect(startUps).toEqual([true, false, false])
})
