import { expect, test } from 'vitest'
import { appNameFor, createAdminClient } from '../../../../src/servers/targets/connection/admin-client.ts'

const uri = 'mongodb://ann:hunter2-secret@127.0.0.1:27018/?retryReads=false&minPoolSize=5'

test('a client is known to the server by its purpose', () => {
  expect(createAdminClient(uri).options.appName).toBe('mongo-perf')
  expect(createAdminClient(uri, { purpose: 'init' }).options.appName).toBe('mongo-perf init')
  expect(appNameFor('init')).toBe('mongo-perf init')
})

test('a client waits for a server that is just being elected, unless it has less time', () => {
  const waits = { serverSelectionTimeoutMS: 30_000, connectTimeoutMS: 10_000, socketTimeoutMS: 0 }
  expect(createAdminClient(uri).options).toMatchObject(waits)
  const hurried = { serverSelectionTimeoutMS: 500, connectTimeoutMS: 500, socketTimeoutMS: 0 }
  expect(createAdminClient(uri, { reachMs: 500 }).options).toMatchObject(hurried)
})

test('a poll takes one connection and is not repeated, whatever the URI asks for', () =>
  expect(createAdminClient(uri, { reachMs: 1_500, pollMs: 2_000 }).options).toMatchObject({
    maxPoolSize: 1,
    minPoolSize: 0,
    retryReads: false,
    socketTimeoutMS: 2_000,
    waitQueueTimeoutMS: 2_000,
    connectTimeoutMS: 1_500,
  }))

test('what else the URI asks for holds', () => {
  const { options } = createAdminClient(uri, { writeConcern: { w: 1 } })
  expect(createAdminClient(uri).options).toMatchObject({ retryReads: false, minPoolSize: 5 })
  expect(options.writeConcern).toMatchObject({ w: 1 })
})

function refusalOf(create: () => unknown): unknown {
  try {
    return create()
  } catch (error) {
    return error
  }
}

test('a URI that the driver does not accept is named by its variable, without its password', () => {
  const odd = 'mongodb://ann:hunter2-secret@127.0.0.1/?maxPoolSize=many'
  const refusal = refusalOf(() => createAdminClient(odd, { uriFrom: 'MONGO_PERF_URI_LEFT' }))
  expect(refusal).toSay('uri-not-accepted', { variable: 'MONGO_PERF_URI_LEFT', option: 'maxPoolSize' })
  expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.toContain('hunter2')
})
