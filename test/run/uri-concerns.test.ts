import { expect, test } from 'vitest'
import { refuseOtherConcerns, type RowWithUri } from '../../src/run/preflight/uri-concerns.ts'
import { targetSpec } from '../../src/servers/targets/index.ts'
import { openLoad } from '../../src/spec/schema/open-load-schema.ts'

type Phase = RowWithUri['spec']['phases'][number]

const byDefault: Phase = {
  name: 'insert',
  load: { kind: 'closed', workers: 4 },
  writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
  readConcern: { level: 'local' },
  readPreference: { mode: 'primary' },
}

function refuse(options: string, ...phases: readonly Phase[]): () => void {
  const target = targetSpec.parse({ kind: 'existing' })
  const rows = [{ spec: { target, phases } }]
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
  expect(refuse(options, byDefault)).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.stringContaining(`"${field}"`) }),
  )
})

test('the message names the option, the variable and the phase that contradicts', () => {
  expect(refuse('w=majority', byDefault, { ...byDefault, name: 'fast', writeConcern: { w: 1 } })).toThrow(
    'The URI of MONGO_PERF_URI sets w=majority, and the phase "fast" is measured with {"w":1}',
  )
})

test('the message names the pool of a phase, that of an open load by default among them', () => {
  const phase = { ...byDefault, load: openLoad.parse({ kind: 'open', ratePerSecond: 10 }) }
  const sets = 'The URI of MONGO_PERF_URI sets maxPoolSize=50, and the phase "insert" is measured with '
  expect(refuse('maxPoolSize=50', phase)).toThrow(`${sets}{"maxPoolSize":100,"maxConnecting":2,"waitQueueTimeoutMS":0}`)
  expect(refuse('maxPoolSize=50', byDefault)).toThrow(`${sets}a connection for each call in flight`)
})

test.each<[string, Partial<Phase>]>([
  ['', {}],
  ['retryWrites=true&w=majority&appName=Cluster0', {}],
  ['w=1&journal=true', { writeConcern: { w: 1, j: true } }],
  ['wtimeoutMS=10000&readConcernLevel=local', {}],
  ['maxPoolSize=50&maxConnecting=2', { pool: { maxPoolSize: 50, maxConnecting: 2, waitQueueTimeoutMS: 500 } }],
  ['maxPoolSize=100&waitQueueTimeoutMS=0', { load: openLoad.parse({ kind: 'open', ratePerSecond: 10 }) }],
  [
    'readPreference=nearest&readPreferenceTags=dc:ny,rack:1&readPreferenceTags=&maxStalenessSeconds=90',
    { readPreference: { mode: 'nearest', tags: [{ dc: 'ny', rack: '1' }, {}], maxStalenessSeconds: 90 } },
  ],
])('%s is accepted where phases say the same', (options, fields) => {
  expect(refuse(options, { ...byDefault, ...fields })).not.toThrow()
})

test('servers of ours have no URI to contradict', () => {
  const rows = [{ spec: { target: targetSpec.parse({ kind: 'standalone' }), phases: [byDefault] } }]
  expect(() => refuseOtherConcerns(rows, () => 'mongodb://127.0.0.1/?w=1')).not.toThrow()
})
