import { expect, test } from 'vitest'
import { computeSharePart, createShares } from '../../../src/load/plan/share.ts'
import { splitShares } from '../../../src/run/agents/coordinator/units-of-agents.ts'

const counts = (threads: readonly number[], workers: number) => splitShares(threads, workers).map((own) => own.length)

test('each thread of each agent has a share, and all shares are different', () => {
  const shares = splitShares([2, 1, 3], 100)
  expect(shares.map((own) => own.map(({ index }) => index))).toEqual([[0, 1], [2], [3, 4, 5]])
  expect(new Set(shares.flat().map(({ of }) => of))).toEqual(new Set([6]))
})

test('few workers are on many agents, and those without a worker have no share', () => {
  expect(counts([4, 4, 4], 5)).toEqual([2, 2, 1])
  expect(counts([1, 8], 5)).toEqual([1, 4])
  expect(counts([2, 2, 2], 2)).toEqual([1, 1, 0])
})

test('an agent splits its workers over its threads as one machine would', () => {
  for (const workers of [6, 7, 11, 17]) {
    for (const own of splitShares([2, 1, 3], workers)) {
      const sum = own.reduce((total, share) => total + computeSharePart(workers, share), 0)
      const ofOne = createShares(own.length).map((share) => computeSharePart(sum, share))
      expect(ofOne).toEqual(own.map((share) => computeSharePart(workers, share)))
    }
  }
})
