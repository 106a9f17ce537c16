import * as mongodb from 'mongodb'
import { describe, expect, test } from 'vitest'
import { isUnanswered, toOutcome, toRetriedOutcome } from '../../../src/load/engines/outcomes.ts'
import { okOutcome } from '../../fakes/fake-calls.ts'

/** The driver keeps some of its classes to itself; by name is how we tell them apart. */
function named(name: string, message = 'on purpose'): Error {
  return Object.defineProperty(new mongodb.MongoDriverError(message), 'name', { value: name })
}

function labelled(error: mongodb.MongoError, ...labels: readonly string[]): Error {
  for (const label of labels) error.addErrorLabel(label)
  return error
}

const handshake = (error: mongodb.MongoError): Error => labelled(error, 'HandshakeError')

const server = (code: number, codeName?: string) =>
  new mongodb.MongoServerError({ message: 'the server says no', code, ...(codeName === undefined ? {} : { codeName }) })

const selection = () => named('MongoServerSelectionError')
const network = () => new mongodb.MongoNetworkError('connection 7 to 127.0.0.1:1 closed')

test.each<[string, Error, string, string?]>([
  ['the key is taken', server(11000), '11000', 'DuplicateKey'],
  ['the document is not valid', server(121), '121', 'DocumentValidationFailure'],
  ['the server refuses the command', server(13, 'Unauthorized'), '13', 'Unauthorized'],
  ['the member is not the primary', server(10107, 'NotWritablePrimary'), '10107', 'NotWritablePrimary'],
  ['the server shuts down', server(91, 'ShutdownInProgress'), '91', 'ShutdownInProgress'],
  ['no server was found', selection(), 'MongoServerSelectionError'],
  ['no connection came free', named('MongoWaitQueueTimeoutError'), 'MongoWaitQueueTimeoutError'],
  ['the pool was cleared before the send', named('MongoPoolClearedError'), 'MongoPoolClearedError'],
  ['a connection broke while it was opened', handshake(network()), 'MongoNetworkError'],
  [
    'a connection took too long to open',
    new mongodb.MongoNetworkTimeoutError('slow', { beforeHandshake: true }),
    'MongoNetworkTimeoutError',
  ],
  ['the arguments are wrong', new mongodb.MongoInvalidArgumentError('wrong'), 'MongoInvalidArgumentError'],
  ['a document cannot be written as BSON', new mongodb.BSON.BSONError('circular'), 'BSONError'],
  ['something else throws', new TypeError('not a function'), 'TypeError'],
])('nothing was done when %s', (_, error, code, name = code) => {
  const { message } = error
  expect(toOutcome(error)).toMatchObject({ kind: 'failed', code, name, message, reply: { documents: 0 } })
})

test('an outcome has the labels of its error, in the order of the alphabet', () => {
  expect(toOutcome(server(11602))).toMatchObject({ labels: [] })
  const both = labelled(server(11602), 'TransientTransactionError', 'RetryableWriteError')
  expect(toOutcome(both)).toMatchObject({ labels: ['RetryableWriteError', 'TransientTransactionError'] })
  expect(toOutcome(new TypeError('not a function'))).toMatchObject({ labels: [] })
})

describe('of a write that the driver repeats by itself', () => {
  test.each([
    ['refused in a way for which it is sent again', labelled(server(10107), 'RetryableWriteError')],
    ['no server was found in the end', selection()],
    ['the pool was cleared in the end', named('MongoPoolClearedError')],
    ['the connection was lost', network()],
  ])('nobody knows what became of the first sending: %s', (_, error) =>
    expect(toRetriedOutcome(error)).toEqual({ ...toOutcome(error), kind: 'unknown' }),
  )

  test.each([
    ['the server refused what is not sent again', server(11000)],
    ['neither sending has done anything', labelled(server(10107), 'RetryableWriteError', 'NoWritesPerformed')],
    ['the arguments are wrong', new mongodb.MongoInvalidArgumentError('wrong')],
  ])('nothing was done: %s', (_, error) => expect(toRetriedOutcome(error)).toMatchObject({ kind: 'failed' }))
})

test.each([
  ['the connection was lost, with or without labels', network(), 'MongoNetworkError'],
  ['no answer came', new mongodb.MongoNetworkTimeoutError('connection timed out'), 'MongoNetworkTimeoutError'],
  ['the pool was cleared under the call', named('PoolClearedOnNetworkError'), 'PoolClearedOnNetworkError'],
  ['the client was closed under the call', new mongodb.MongoClientClosedError(), 'MongoClientClosedError'],
  [
    'the answer made no sense',
    new mongodb.MongoUnexpectedServerResponseError('what'),
    'MongoUnexpectedServerResponseError',
  ],
  ['the server ran out of time', server(50, 'MaxTimeMSExpired'), '50'],
  ['the primary stepped down under the call', server(11602, 'InterruptedDueToReplStateChange'), '11602'],
  ['a router lost its shard', server(6, 'HostUnreachable'), '6'],
  [
    'too few members acknowledged in time',
    new mongodb.MongoWriteConcernError({
      ok: 1,
      n: 1,
      writeConcernError: { code: 64, errmsg: 'timed out', codeName: 'WriteConcernFailed' },
    }),
    '64',
  ],
])('nobody knows what was done when %s', (_, error, code) =>
  expect(toOutcome(error)).toMatchObject({ kind: 'unknown', code, reply: { documents: 0 } }),
)

/** What the driver hands out with its error, as far as it is read. */
function result({ inserted = 0, writeErrors = [] as readonly number[], writeConcernError = false }) {
  return {
    insertedCount: inserted,
    matchedCount: 0,
    modifiedCount: 0,
    upsertedCount: 0,
    deletedCount: 0,
    getWriteErrors: () => writeErrors.map((code) => ({ code })),
    getWriteConcernError: () => (writeConcernError ? { code: 64, errmsg: 'timed out' } : undefined),
  } as unknown as mongodb.BulkWriteResult
}

describe('a bulk write', () => {
  test('with write errors is refused, and did what went through', () => {
    const error = new mongodb.MongoBulkWriteError(
      { message: 'E11000', code: 11000 },
      result({ inserted: 3, writeErrors: [11000] }),
    )
    expect(toOutcome(error)).toMatchObject({
      kind: 'failed',
      code: '11000',
      name: 'DuplicateKey',
      message: 'E11000',
      reply: { documents: 3, inserted: 3 },
    })
  })

  test('that lost its connection is unknown, and did what was acknowledged before', () => {
    const error = new mongodb.MongoBulkWriteError(network(), result({ inserted: 1000 }))
    expect(toOutcome(error)).toMatchObject({ kind: 'unknown', code: 'MongoNetworkError', reply: { inserted: 1000 } })
  })

  test('that found no server is refused', () =>
    expect(toOutcome(new mongodb.MongoBulkWriteError(selection(), result({})))).toMatchObject({ kind: 'failed' }))

  test('that too few members acknowledged in time is unknown, and counts as nothing done', () => {
    const error = new mongodb.MongoBulkWriteError(
      { message: 'timed out', code: 64 },
      result({ inserted: 5, writeConcernError: true }),
    )
    expect(toOutcome(error)).toMatchObject({
      kind: 'unknown',
      code: '64',
      name: 'WriteConcernFailed',
      reply: { documents: 0 },
    })
  })

  test('with write errors and too few acknowledgements is unknown too: what went through is not confirmed', () => {
    const both = result({ inserted: 5, writeErrors: [11000], writeConcernError: true })
    const error = new mongodb.MongoBulkWriteError({ message: 'E11000', code: 11000 }, both)
    expect(toOutcome(error)).toMatchObject({
      kind: 'unknown',
      code: '64',
      name: 'WriteConcernFailed',
      message: 'timed out',
      reply: { documents: 0 },
    })
  })
})

/** As the driver makes it: its parts are put in after it was made. */
function clientBulkError(parts: Partial<mongodb.MongoClientBulkWriteError>): Error {
  return Object.assign(new mongodb.MongoClientBulkWriteError({ message: 'encountered an error' }), parts)
}

const counts = (inserted: number): mongodb.ClientBulkWriteResult => ({
  acknowledged: true,
  insertedCount: inserted,
  matchedCount: 4,
  modifiedCount: 2,
  upsertedCount: 1,
  deletedCount: 7,
})

const allCounts = { documents: 13, inserted: 3, matched: 4, modified: 2, upserted: 1, deleted: 7 }

describe('a bulk write of the client', () => {
  test('with write errors is refused by the first, and did what went through', () => {
    const writeErrors = new Map([
      [5, { code: 11000, message: 'E11000' }],
      [8, { code: 121, message: 'not valid' }],
    ])
    expect(toOutcome(clientBulkError({ writeErrors, partialResult: counts(3) }))).toMatchObject({
      kind: 'failed',
      code: '11000',
      name: 'DuplicateKey',
      message: 'E11000',
      reply: allCounts,
    })
  })

  test('that the server broke off is what its cause is, and did what was acknowledged before', () => {
    const stopped = clientBulkError({ cause: server(11600, 'InterruptedAtShutdown'), partialResult: counts(3) })
    expect(toOutcome(stopped)).toMatchObject({ kind: 'unknown', code: '11600', reply: allCounts })
    expect(toOutcome(clientBulkError({ cause: server(59, 'CommandNotFound') }))).toMatchObject({
      kind: 'failed',
      code: '59',
      name: 'CommandNotFound',
      reply: { documents: 0 },
    })
  })

  test('that too few members acknowledged in time is unknown, and counts as nothing done', () => {
    const writeConcernErrors = [{ code: 64, message: 'timed out' }]
    expect(toOutcome(clientBulkError({ writeConcernErrors, partialResult: counts(3) }))).toMatchObject({
      kind: 'unknown',
      code: '64',
      name: 'WriteConcernFailed',
      message: 'timed out',
      reply: { documents: 0 },
    })
  })

  test('without a write was never sent', () => {
    const none = named('MongoClientBulkWriteExecutionError')
    expect(toOutcome(none)).toMatchObject({ kind: 'failed', reply: { documents: 0 } })
  })
})

test('whatever is thrown is an outcome', () => {
  expect(toOutcome('a string')).toMatchObject({ kind: 'failed', message: 'a string' })
  expect(toOutcome(undefined)).toMatchObject({ kind: 'failed' })
})

const timeout = (options = {}) => toOutcome(new mongodb.MongoNetworkTimeoutError('slow', options))

test('no answer is told from what else is unknown, and from a connection that was never opened', () => {
  expect(isUnanswered(timeout())).toBe(true)
  expect([timeout({ beforeHandshake: true }), toOutcome(network()), okOutcome()].map(isUnanswered)).toEqual([
    false,
    false,
    false,
  ])
})
