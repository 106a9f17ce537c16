import { expect, test } from 'vitest'
import { clientOptions } from '../../../../src/load/engines/driver/client-options.ts'

const phase = { workers: 3, deadlineMs: 5_000 }

test('a client that measures repeats nothing, and looks for a server no longer than the deadline', () =>
  expect(clientOptions({ ...phase, retries: 'none' })).toMatchObject({
    retryReads: false,
    retryWrites: false,
    maxAdaptiveRetries: 0,
    serverSelectionTimeoutMS: 5_000,
  }))

test('a client that is to do what the driver does is not told what to repeat, or how long to look', () => {
  const { retryReads, retryWrites, maxAdaptiveRetries, serverSelectionTimeoutMS, ...others } = clientOptions({
    ...phase,
    retries: 'driver',
  })
  expect([retryReads, retryWrites, maxAdaptiveRetries, serverSelectionTimeoutMS]).toEqual(Array(4).fill(undefined))
  expect(others).toMatchObject({ maxPoolSize: 3, socketTimeoutMS: 5_000 })
})
