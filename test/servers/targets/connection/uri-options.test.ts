import * as mongodb from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'
import { expect, test } from 'vitest'
import { clientOptions, createClient } from '../../../../src/load/engines/driver/client-options.ts'
import { createAdminClient } from '../../../../src/servers/targets/connection/admin-client.ts'
import { nameApplication, noteRetries } from '../../../../src/servers/targets/connection/uri-options.ts'
import { checkUris, notesOnUris } from '../../../../src/servers/targets/existing/reach-existing.ts'

const uri = (options: string): string => `mongodb://127.0.0.1:27017/?${options}`
const check = (options: string) => () => checkUris(['MONGO_PERF_URI'], { uri: () => uri(options), allowRemote: false })

test.each([
  ['maxIdleTimeMS=5', 'uri-sets-pool', 'maxIdleTimeMS'],
  ['minPoolSize=2&maxidletimems=5', 'uri-sets-pool-sizes', 'minPoolSize, maxIdleTimeMS'],
  ['socketTimeoutMS=1', 'uri-sets-deadline', 'socketTimeoutMS'],
  ['maxIdleTimeMS=5&socketTimeoutMS=1', 'uri-sets-both', 'maxIdleTimeMS, socketTimeoutMS'],
])('%s is refused by its name, and the hint says where a spec sets it', (given, code, options) =>
  expect(check(given)).toSay(code, { options }),
)

test('messages name a URI by the option that gave it, else by its variable', () => {
  const context = { uri: () => uri('minPoolSize=2&retryReads=true'), givenAs: { MONGO_PERF_URI_FAST: '--uri fast' } }
  for (const [variable, name] of [
    ['MONGO_PERF_URI_FAST', '--uri fast'],
    ['MONGO_PERF_URI_SLOW', 'MONGO_PERF_URI_SLOW'],
  ] as const) {
    expect(() => checkUris([variable], { ...context, allowRemote: false })).toSay('uri-names', { name })
    expect(notesOnUris([variable], context)).toEqual([expect.toSay('uri-names-in-notes', { name })])
  }
})

const accepted = ['', 'compressors=zlib', 'w=1&appName=mine', 'replicaSet=rs&tls=true&localThresholdMS=5']

test.each(accepted)('%s is accepted', (options) => expect(check(options)).not.toThrow())

test('retries that a URI allows are noted, since phases decide about them', () => {
  const notes = notesOnUris(['MONGO_PERF_URI'], { uri: () => uri('retryWrites=true&w=majority&appName=Cluster0') })
  expect(notes).toEqual([expect.toSay('uri-sets-retries', { option: 'retryWrites' })])
  expect(noteRetries(new ConnectionString(uri('replicaSet=rs&retryWrites=false')), 'X')).toBe('')
})

const phase = { retries: 'none', workers: 1, deadlineMs: 2_000 } as const

test('the pool of a URI is that of the load, and of no other client', () => {
  expect(createAdminClient(uri('waitQueueTimeoutMS=5')).options.waitQueueTimeoutMS).toBe(0)
  const ofStreams = createClient(mongodb, uri('maxPoolSize=1&waitQueueTimeoutMS=5'), {})
  expect(ofStreams.options).toMatchObject({ maxPoolSize: 100, waitQueueTimeoutMS: 0 })
  const pool = { maxPoolSize: 7, maxConnecting: 3, waitQueueTimeoutMS: 250 }
  expect(createClient(mongodb, uri('maxPoolSize=7'), clientOptions({ ...phase, pool })).options).toMatchObject(pool)
})

test('the application name is that of the URI, with ours behind it', () => {
  const ofLoad = createClient(mongodb, uri('appName=shop%20a'), clientOptions(phase))
  expect(ofLoad.options.appName).toBe('shop a via mongo-perf')
  expect(createClient(mongodb, uri(''), {}).options.appName).toBe('mongo-perf')
  expect(createAdminClient(uri('appName=shop')).options.appName).toBe('shop via mongo-perf')
  expect(createAdminClient(uri('appName=shop'), { purpose: 'init' }).options.appName).toSay('app-name-of-init', {
    app: 'shop',
  })
})

test.each(['a', '\u20ac'])('a long application name of %s is cut to what a handshake may have', (letter) => {
  const name = nameApplication(uri(`appName=${encodeURIComponent(letter.repeat(200))}`))
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(128)
  expect(name).toMatch(/ via mongo-perf$/)
})

test('a server is looked for as long as the URI says, and no longer than the deadline', () => {
  const selection = (options: string): unknown =>
    createClient(mongodb, uri(options), clientOptions(phase)).options.serverSelectionTimeoutMS
  expect(selection('serverSelectionTimeoutMS=500')).toBe(500)
  expect(selection('serverSelectionTimeoutMS=5000')).toBe(2_000)
  expect(selection('serverSelectionTimeoutMS=0')).toBe(2_000)
  expect(selection('')).toBe(2_000)
  const admin = createAdminClient(uri('serverSelectionTimeoutMS=500'))
  expect(admin.options.serverSelectionTimeoutMS).toBe(500)
})

test('the time to connect is that of the URI, else less than by default of the driver', () => {
  const given = uri('connectTimeoutMS=1500')
  expect(createClient(mongodb, given, {}).options.connectTimeoutMS).toBe(1_500)
  expect(createAdminClient(given).options.connectTimeoutMS).toBe(1_500)
  expect(createClient(mongodb, uri(''), {}).options.connectTimeoutMS).toBe(10_000)
  expect(createAdminClient(uri('')).options.connectTimeoutMS).toBe(10_000)
  expect(createAdminClient(given, { reachMs: 500 }).options.connectTimeoutMS).toBe(500)
})
