import { expect, test } from 'vitest'
import { mongodArguments } from '../../../src/targets/server/mongod-arguments.ts'
import { resolveServerOptions, serverOptions } from '../../../src/targets/server/server-options.ts'
import { mongoshLine, shellLine } from '../../../src/targets/server/shell-line.ts'

const place = { port: 27017, data: '/data', log: '/log', replicaSet: undefined, platform: 'linux' } as const

test('a member overrides its target field by field, and defaults come last', () => {
  const options = resolveServerOptions({ cacheGB: 2, syncPeriodSecs: 30 }, { syncPeriodSecs: 10 })
  expect(options).toEqual({ cacheGB: 2, syncPeriodSecs: 10, oplogMB: 990, setParameters: {}, scripting: false })
})

test("a member with a version of its own is free of its target's binary", () => {
  expect(resolveServerOptions({ binary: '/a/mongod' }, { version: '6.0' })).not.toHaveProperty('binary')
  expect(resolveServerOptions({ binary: '/a/mongod' }, { cacheGB: 1 })).toHaveProperty('binary', '/a/mongod')
})

test('a server listens on this machine alone, has an explicit cache and runs no JavaScript', () => {
  expect(mongodArguments(resolveServerOptions(), place)).toEqual([
    '--bind_ip=127.0.0.1',
    '--port=27017',
    '--dbpath=/data',
    '--logpath=/log',
    '--logappend',
    '--wiredTigerCacheSizeGB=0.25',
    '--noscripting',
    '--nounixsocket',
  ])
})

test('a server runs JavaScript only where it is said, which no option of a spec can', () => {
  expect(mongodArguments(resolveServerOptions({}, {}, true), place)).not.toContain('--noscripting')
  expect(serverOptions.safeParse({ scripting: true }).success).toBe(false)
})

test('every option reaches the command line', () => {
  const options = resolveServerOptions({
    directoryPerDb: true,
    syncPeriodSecs: 0,
    journalCommitIntervalMs: 5,
    oplogMB: 2000,
    setParameters: { ttlMonitorEnabled: false, cursorTimeoutMillis: 1000 },
  })
  expect(mongodArguments(options, { ...place, replicaSet: 'rs' })).toEqual(
    expect.arrayContaining([
      '--replSet=rs',
      '--oplogSize=2000',
      '--directoryperdb',
      '--syncdelay=0',
      '--journalCommitInterval=5',
      '--setParameter=ttlMonitorEnabled=false',
      '--setParameter=cursorTimeoutMillis=1000',
    ]),
  )
})

test.each([
  ['a cache below the least', { cacheGB: 0.1 }],
  ['an unknown field', { cacheGb: 1 }],
  ['a version that is none', { version: 'latest' }],
  ['a parameter name that would be an option', { setParameters: { '--auth': 'x' } }],
])('%s is refused', (_what, options) => {
  expect(serverOptions.safeParse(options).success).toBe(false)
})

test('a recorded command can be pasted, whatever its words hold', () => {
  expect(shellLine(['/a b/mongod', '--x=1', "it's", '$HOME'])).toBe(`'/a b/mongod' --x=1 'it'\\''s' '$HOME'`)
  expect(mongoshLine(1, { ping: 1 })).toBe(`mongosh --quiet --port 1 --eval 'db.adminCommand({"ping":1})'`)
})
