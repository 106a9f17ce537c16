import { expect, test } from 'vitest'
import { createChooser } from '../../../src/spec/plan/choose-operation.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'

/** Time that each operation got, when so many workers call what is chosen and each call takes its operation's time. */
function timeSpent(shares: readonly number[], tookMs: readonly number[], workers: number, untilMs: number): number[] {
  const { choose, drawNumber, answered } = createChooser(
    shares.map((share) => ({ weight: 1, share })),
    1,
    'here',
  )
  const spent = shares.map(() => 0)
  const busy = Array.from({ length: workers }, () => ({ operation: -1, untilMs: 0 }))
  for (let nowMs = 0, call = 0; nowMs < untilMs; nowMs++) {
    for (const worker of busy) {
      if (worker.untilMs > nowMs) continue
      if (worker.operation >= 0) answered?.(worker.operation, tookMs[worker.operation] ?? 0)
      worker.operation = choose(call)
      drawNumber(worker.operation, call++)
      worker.untilMs = nowMs + (tookMs[worker.operation] ?? 0)
      spent[worker.operation] = (spent[worker.operation] ?? 0) + (tookMs[worker.operation] ?? 0)
    }
  }
  return spent
}

test.each([
  [[1, 1], [1, 10], 4],
  [[3, 1], [2, 50], 8],
  [[0.7, 0.2, 0.1], [1, 5, 20], 16],
  [[1, 1], [1, 1], 1],
])('shares %j of the time are kept when calls take %j ms, with %i workers', (shares, tookMs, workers) => {
  const spent = timeSpent(shares, tookMs, workers, 5000)
  const total = spent.reduce((sum, one) => sum + one, 0)
  const wanted = shares.reduce((sum, one) => sum + one, 0)
  for (const [i, share] of shares.entries()) expect((spent[i] ?? 0) / total).toBeCloseTo(share / wanted, 1)
})

test('the nth call of an operation is drawn under the number n, whatever came between', () => {
  const { drawNumber } = createChooser(
    [
      { weight: 1, share: 1 },
      { weight: 1, share: 1 },
    ],
    1,
    'here',
  )
  expect([drawNumber(0, 0), drawNumber(1, 1), drawNumber(0, 2), drawNumber(0, 3), drawNumber(1, 4)]).toEqual([
    0, 0, 1, 2, 1,
  ])
})

test('a share for some operations and not for others is refused', () => {
  const operations = [{ kind: 'find', share: 1 }, { kind: 'findOne' }]
  expect(problemsOf({ phases: [aPhase({ operations })] })).toSay('spec-share-missing')
})
