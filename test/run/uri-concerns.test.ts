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
  return () => refuseOtherConcerns(rows, () => `mongodb://127.0.0.1/?${options}`)
}

test.each([
  ['w=1', 'writeConcern'],
  ['w=majority&journal=true', 'writeConcern'],
  ['j=true', 'writeConcern'],
  ['wtimeoutMS=500', 'writeConcern'],
  ['READPREFERENCE=secondary', 'readPreference'],
  ['readPreferenceTags=dc:ny', 'readPreference'],
  ['maxStalenessSeconds=90', 'readPreference'],
  ['readConcernLevel=majority', 'readConcern'],
  ['maxPoolSize=50', 'pool'],
  ['maxconnecting=3', 'pool'],
  ['waitQueueTimeoutMS=500', 'pool'],
])('%s of a URI is refused beside phases that say otherwise', (options, field) => {
  expect(refuse(options, [byDefault])).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.stringContaining(`"${field}"`) }),
  )
})

test('the message names the option, the variable and the phase that contradicts', () => {
  const fast = { ...byDefault, name: 'fast', writeConcern: { w: 1 } }
  expect(refuse('w=1', [fast, byDefault])).toThrow(
    'The URI of MONGO_PERF_URI sets w=1, and the phase "insert" is measured with {"w":"majority","wtimeoutMS":10000}',
  )
})

test('the message names the pool of a phase, that of an open load by default among them', () => {
  const sets = 'The URI of MONGO_PERF_URI sets maxPoolSize=50, and the phase "insert" is measured with '
  expect(refuse('maxPoolSize=50', [{ ...byDefault, load: open }])).toThrow(
    `${sets}{"maxPoolSize":100,"maxConnecting":2,"waitQueueTimeoutMS":0}`,
  )
  expect(refuse('maxPoolSize=50', [byDefault])).toThrow(`${sets}a connection for each call in flight`)
})

test.each<[string, object]>([
  ['', {}],
  ['retryWrites=true&w=majority&appName=Cluster0', {}],
  ['w=1&journal=true', { writeConcern: { w: 1, j: true } }],
  ['wtimeoutMS=10000&readConcernLevel=local', {}],
  ['maxPoolSize=50&maxConnecting=2', { pool: { maxPoolSize: 50, maxConnecting: 2, waitQueueTimeoutMS: 500 } }],
  ['maxPoolSize=100&waitQueueTimeoutMS=0', { load: open }],
  [
    'readPreference=nearest&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=&maxStalenessSeconds=90',
    { readPreference: { mode: 'nearest', tags: [{ dc: 'ny', rack: '1' }, {}], maxStalenessSeconds: 90 } },
  ],
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
