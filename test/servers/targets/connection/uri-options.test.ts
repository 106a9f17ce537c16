import * as mongodb from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'
import { expect, test } from 'vitest'
import { createClient } from '../../../../src/load/engines/driver/client-options.ts'
import { createAdminClient } from '../../../../src/servers/targets/connection/admin-client.ts'
import { noteOfOptions } from '../../../../src/servers/targets/connection/uri-options.ts'
import { checkUris, notesOnUris } from '../../../../src/servers/targets/existing/reach-existing.ts'

const uri = (options: string): string => `mongodb://127.0.0.1:27017/?${options}`
const check = (options: string) => () => checkUris(['MONGO_PERF_URI'], { uri: () => uri(options), allowRemote: false })

test.each([
  'maxPoolSize=5',
  'maxpoolsize=5&minPoolSize=2',
  'maxConnecting=1',
  'socketTimeoutMS=1',
  'waitQueueTimeoutMS=9',
])('%s is refused by its name: the load sets it', (options) => {
  expect(check(options)).toThrow(/^The URI of MONGO_PERF_URI sets [\w, ]+, which the load of a phase sets itself$/)
})

test('the hint says where a spec sets them', () => {
  expect(check('maxPoolSize=5&socketTimeoutMS=1')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'The URI of MONGO_PERF_URI sets maxPoolSize, socketTimeoutMS, which the load of a phase sets itself',
      hint: expect.stringMatching(/"maxInFlight".*and "deadlineSeconds" of the phase\.$/),
    }),
  )
})

test.each(['', 'compressors=zlib', 'w=1&appName=mine', 'replicaSet=rs&tls=true&localThresholdMS=5'])(
  '%s is accepted',
  (options) => {
    expect(check(options)).not.toThrow()
  },
)

test('what holds for measured calls in a spec alone is noted', () => {
  expect(notesOnUris(['MONGO_PERF_URI'], { uri: () => uri('retryWrites=true&w=majority&appName=Cluster0') })).toEqual([
    'w, retryWrites of the URI of MONGO_PERF_URI: measured calls go by "writeConcern", "retries" of their phase\n' +
      'appName of the URI of MONGO_PERF_URI: servers see "mongo-perf"\n',
  ])
  expect(noteOfOptions(new ConnectionString(uri('serverSelectionTimeoutMS=5000')), 'X')).toBe(
    'serverSelectionTimeoutMS of the URI of X: measured calls go by "deadlineSeconds" of their phase\n',
  )
  expect(noteOfOptions(new ConnectionString(uri('replicaSet=rs&compressors=zlib')), 'X')).toBe('')
})

test('the time to connect is that of the URI, else less than by default of the driver', () => {
  const given = uri('connectTimeoutMS=1500')
  expect(createClient(mongodb, given, {}).options.connectTimeoutMS).toBe(1_500)
  expect(createAdminClient(given).options.connectTimeoutMS).toBe(1_500)
  expect(createClient(mongodb, uri(''), {}).options.connectTimeoutMS).toBe(10_000)
  expect(createAdminClient(uri('')).options.connectTimeoutMS).toBe(10_000)
  expect(createAdminClient(given, { reachMs: 500 }).options.connectTimeoutMS).toBe(500)
})
