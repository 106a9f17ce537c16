import { expect, test } from 'vitest'
import { refuseOtherConcerns } from '../../src/run/preflight/uri-concerns.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'

const operation = { insert: { kind: 'insertOne' }, find: { kind: 'findOne' } }

/** A phase of a spec, which inserts. */
const byDefault = { name: 'insert', stopAfter: { operations: 5 }, operations: [operation.insert] }
const open = { kind: 'open', ratePerSecond: 10 }

function refuse(options: string, phases: readonly object[], target: object = { kind: 'existing' }): () => void {
  const data = { collection: 'c', document: { n: 1 } }
  const { rows } = loadSpecText(JSON.stringify({ name: 'concerns', target, data, phases }), 'concerns.json')
  return () => refuseOtherConcerns(rows, { uri: () => `mongodb://127.0.0.1/?${options}` })
}

const ofWrites = '{"w":"majority","wtimeoutMS":10000}'
const ofPool = '{"maxPoolSize":100,"maxConnecting":2,"waitQueueTimeoutMS":0}'

test.each([
  ['w=1', 'w=1', 'writeConcern', ofWrites],
  ['w=majority&journal=true', 'journal=true', 'writeConcern', ofWrites],
  ['j=true', 'j=true', 'writeConcern', ofWrites],
  ['wtimeoutMS=500', 'wtimeoutMS=500', 'writeConcern', ofWrites],
  ['READPREFERENCE=secondary', 'readPreference=secondary', 'readPreference', '{"mode":"primary"}'],
  ['readPreferenceTags=dc:ny', 'readPreferenceTags=dc:ny', 'readPreference', '{"mode":"primary"}'],
  ['maxStalenessSeconds=90', 'maxStalenessSeconds=90', 'readPreference', '{"mode":"primary"}'],
  ['readConcernLevel=majority', 'readConcernLevel=majority', 'readConcern', '{"level":"local"}'],
])('%s of a URI is refused beside phases that say otherwise', (options, option, field, measured) => {
  expect(refuse(options, [byDefault])).toSay('uri-against-phase', { option, field, measured })
})

test.each([
  ['maxPoolSize=50', 'maxPoolSize=50'],
  ['maxconnecting=3', 'maxConnecting=3'],
  ['waitQueueTimeoutMS=500', 'waitQueueTimeoutMS=500'],
])('%s of a URI is refused beside phases without a pool', (options, option) => {
  expect(refuse(options, [byDefault])).toSay('uri-against-no-pool', { option })
})

test('the phase that contradicts is named, and the pool of an open load by default', () => {
  const fast = { ...byDefault, name: 'fast', writeConcern: { w: 1 } }
  const writes = { option: 'w=1', field: 'writeConcern', measured: ofWrites }
  expect(refuse('w=1', [fast, byDefault])).toSay('uri-against-phase', writes)
  const pool = { option: 'maxPoolSize=50', field: 'pool', measured: ofPool }
  expect(refuse('maxPoolSize=50', [{ ...byDefault, load: open }])).toSay('uri-against-phase', pool)
})

const tags = 'readPreferenceTags=dc:ny,rack:1&readPreferenceTags='
const nearest = { mode: 'nearest', tags: [{ dc: 'ny', rack: '1' }, {}], maxStalenessSeconds: 90 }

test.each<[string, object]>([
  ['', {}],
  ['retryWrites=true&w=majority&appName=Cluster0', {}],
  ['w=1&journal=true', { writeConcern: { w: 1, j: true } }],
  ['wtimeoutMS=10000&readConcernLevel=local', {}],
  ['maxPoolSize=50&maxConnecting=2', { pool: { maxPoolSize: 50, maxConnecting: 2, waitQueueTimeoutMS: 500 } }],
  ['maxPoolSize=100&waitQueueTimeoutMS=0', { load: open }],
  [`readPreference=nearest&${tags}&maxStalenessSeconds=90`, { readPreference: nearest }],
])('%s is accepted where phases say the same', (options, fields) => {
  expect(refuse(options, [{ ...byDefault, ...fields }])).not.toThrow()
})

test.each<[string, string, object]>([
  ['a write concern', 'w=1', { writeConcern: { w: 2 } }],
  ['a read preference', 'readPreference=secondary', { readPreference: { mode: 'nearest' } }],
  ['no write', 'w=1', { operations: [operation.find] }],
])('a phase that has %s of its own goes before %s', (_, options, fields) => {
  expect(refuse(options, [{ ...byDefault, ...fields }])).not.toThrow()
})

test('servers of ours have no URI to contradict', () => {
  expect(refuse('w=1', [byDefault], { kind: 'standalone' })).not.toThrow()
})
