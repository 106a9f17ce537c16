import { expect, test } from 'vitest'
import { littlesLaw } from '../../../src/load/measure/littles-law.ts'
import { sameLatency, healthyOperation, fakeTransactions } from '../../fakes/fake-result.ts'

const withLatency = (ok: number, meanMs: number, failed = 0) =>
  healthyOperation({
    latency: { ok: sameLatency(ok, meanMs), failed: failed ? sameLatency(failed, meanMs) : null, unknown: null },
  })

test('is 1 when all workers waited for answers all the time', () => {
  // 4 workers x 10 s = 40,000 ms of waiting.
  expect(littlesLaw({ workers: 4, wallSeconds: 10, operations: [withLatency(20_000, 2)] })).toBeCloseTo(1, 10)
})

test('counts all operations and all outcomes', () => {
  const operations = [withLatency(5000, 2, 5000), withLatency(20_000, 1)]
  expect(littlesLaw({ workers: 4, wallSeconds: 10, operations })).toBeCloseTo(1, 10)
})

test('counts transactions that were aborted on purpose', () => {
  const none = { firstTry: null, commit: null, aborted: sameLatency(10_000, 2) }
  const operation = { ...withLatency(10_000, 2), transaction: fakeTransactions({ latency: none }) }
  expect(littlesLaw({ workers: 4, wallSeconds: 10, operations: [operation] })).toBeCloseTo(1, 10)
})

test('falls when the client held the workers up', () =>
  expect(littlesLaw({ workers: 4, wallSeconds: 20, operations: [withLatency(20_000, 2)] })).toBeCloseTo(0.5, 10))

test('is unknown when nothing was called', () => {
  const idle = healthyOperation({ latency: { ok: null, failed: null, unknown: null } })
  expect(littlesLaw({ workers: 4, wallSeconds: 0, operations: [idle] })).toBeNull()
  expect(littlesLaw({ workers: 4, wallSeconds: 1, operations: [idle] })).toBeNull()
})
