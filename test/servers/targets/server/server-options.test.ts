import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { mongodArguments } from '../../../../src/servers/targets/server/process/mongod-process.ts'
import { resolveServerOptions, serverOptions } from '../../../../src/servers/targets/server/server-options.ts'
import {
  mongoshLine,
  mongoshLineTo,
  shellLine,
  withHomeVariable,
} from '../../../../src/servers/targets/server/shell-line.ts'

const alone = { replicaSet: undefined, clusterRole: undefined }
const place = { port: 27017, data: '/data', log: '/log', ...alone, platform: 'linux' } as const

test('a member overrides its target field by field, and defaults come last', () => {
  const options = resolveServerOptions({ cacheGB: 2, directoryPerDb: true }, { directoryPerDb: false })
  const defaults = { oplogMB: 990, directIO: false, limits: null, setParameters: {}, scripting: false }
  expect(options).toEqual({ cacheGB: 2, directoryPerDb: false, ...defaults })
})

test("a member with a version of its own is free of its target's binary", () => {
  expect(resolveServerOptions({ binary: '/a/mongod' }, { version: '6.0' })).not.toHaveProperty('binary')
  expect(resolveServerOptions({ binary: '/a/mongod' }, { cacheGB: 1 })).toHaveProperty('binary', '/a/mongod')
})

test("a member's limits take the place of its target's as a whole, and none of them is the same as no limits", () => {
  const target = { limits: { cpus: 0.5, readIops: 500 } }
  const unlimited = { cpus: null, readIops: null, writeIops: null, readMBps: null, writeMBps: null }
  const { limits } = resolveServerOptions(target, { limits: { memoryMB: 512 } })
  expect(limits).toEqual({ ...unlimited, memoryMB: 512 })
  expect(resolveServerOptions(target).limits).toMatchObject({ cpus: 0.5, readIops: 500 })
  expect(resolveServerOptions(target, { limits: {} }).limits).toBeNull()
})

test('a server listens on this machine alone, has an explicit cache and runs no JavaScript', () => {
  const own = ['--wiredTigerCacheSizeGB=0.25', '--noscripting', '--nounixsocket']
  const given = ['--bind_ip=127.0.0.1', '--port=27017', '--dbpath=/data', '--logpath=/log', '--logappend']
  expect(mongodArguments(resolveServerOptions(), place)).toEqual([...given, ...own])
})

test('a server runs JavaScript only where it is said, which no option of a spec can', () => {
  expect(mongodArguments(resolveServerOptions({}, {}, true), place)).not.toContain('--noscripting')
  expect(serverOptions.safeParse({ scripting: true }).success).toBe(false)
})

test('every option reaches the command line', () => {
  const options = resolveServerOptions({
    directoryPerDb: true,
    oplogMB: 2000,
    directIO: true,
    setParameters: { ttlMonitorEnabled: false, cursorTimeoutMillis: 1000 },
  })
  expect(mongodArguments(options, { ...place, replicaSet: 'rs' })).toEqual(
    expect.arrayContaining([
      '--replSet=rs',
      '--oplogSize=2000',
      '--wiredTigerEngineConfigString=direct_io=[data]',
      '--directoryperdb',
      '--setParameter=ttlMonitorEnabled=false',
      '--setParameter=cursorTimeoutMillis=1000',
    ]),
  )
})

const storageArgumentsOf = (options: Parameters<typeof resolveServerOptions>[0]) =>
  mongodArguments(resolveServerOptions(options), place).filter((one) => one.startsWith('--wiredTiger'))

test('a cache below what mongod takes as an option is a setting of its storage engine', () => {
  const smallest = '--wiredTigerCacheSizeGB=0.25'
  expect(storageArgumentsOf({ cacheGB: 0.25 })).toEqual([smallest])
  expect(storageArgumentsOf({ cacheGB: 0.0625 })).toEqual([smallest, '--wiredTigerEngineConfigString=cache_size=64M'])
  expect(storageArgumentsOf({ cacheGB: 0.0625, directIO: true })).toEqual([
    smallest,
    '--wiredTigerEngineConfigString=direct_io=[data],cache_size=64M',
  ])
})

test.each([
  ['a cache below the least', { cacheGB: 0.01 }],
  ['a limit of nothing', { limits: { cpus: 0 } }],
  ['a limit that is none of ours', { limits: { gpus: 1 } }],
  ['an unknown field', { cacheGb: 1 }],
  ['a version that is none', { version: 'latest' }],
  ['a parameter name that would be an option', { setParameters: { '--auth': 'x' } }],
])('%s is refused', (_what, options) => expect(serverOptions.safeParse(options).success).toBe(false))

test('a recorded command can be pasted, whatever its words hold', () => {
  expect(shellLine(['/a b/mongod', '--x=1', "it's", '$HOME'])).toBe(`'/a b/mongod' --x=1 'it'\\''s' '$HOME'`)
  expect(mongoshLine(1, { ping: 1 })).toBe(`mongosh --quiet --port 1 --eval 'db.adminCommand({"ping":1})'`)
  expect(mongoshLineTo('--port 1', { create: 'a', $db: 'b' })).toBe(
    `mongosh --quiet --port 1 --eval 'db.getSiblingDB("b").runCommand({"create":"a"})'`,
  )
  expect(mongoshLineTo('"$URI"', { split: 'a.b', middle: { at: { $date: '2026-01-01T00:00:00Z' } } })).toBe(
    String.raw`mongosh --quiet "$URI" --eval 'db.adminCommand(EJSON.parse("{\"split\":\"a.b\",\"middle\":{\"at\":{\"$date\":\"2026-01-01T00:00:00Z\"}}}"))'`,
  )
})

test.each([
  ['/home/ann/data', '"$HOME"/data'],
  ['/home/ann', '"$HOME"'],
  ['mongod --dbpath=/home/ann/data', 'mongod --dbpath="$HOME"/data'],
  ["ls '/home/ann/my data'", `ls ''"$HOME"'/my data'`],
  ["ls 'it'\\''s' '/home/ann/a b'", `ls 'it'\\''s' ''"$HOME"'/a b'`],
  ['echo 5 > /home/ann/x', 'echo 5 > "$HOME"/x'],
  ['ls /mnt/home/ann/data', 'ls /mnt/home/ann/data'],
  ['ls /home/anna /home/ann.old', 'ls /home/anna /home/ann.old'],
])('a home in %s becomes a variable', (line, expected) => expect(withHomeVariable(line, '/home/ann/')).toBe(expected))

test.skipIf(process.platform === 'win32')(
  'a line with the variable in it does the same where the home is the same',
  () => {
    const words = ['--dbpath=/home/ann/a b', '/home/ann/c', "it's /home/ann/d", '$HOME']
    const line = withHomeVariable(shellLine(['printf', String.raw`%s\n`, ...words]), '/home/ann')
    expect(line).not.toContain('/home/ann')
    expect(execFileSync('sh', ['-c', line], { env: { HOME: '/home/ann' }, encoding: 'utf8' })).toBe(
      words.map((word) => `${word}\n`).join(''),
    )
  },
)

test.each(['', '/'])('a home of "%s" is nobody\'s', (home) => expect(withHomeVariable('ls /tmp', home)).toBe('ls /tmp'))
