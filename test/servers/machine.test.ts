import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { nat, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { runProgram } from '../../src/servers/child-process.ts'
import {
  cacheFolder,
  coreListText,
  envOfChildren,
  parseCoreList,
  stateFolder,
  tempVariable,
} from '../../src/servers/machine.ts'
import { forAll } from '../fakes/for-all.ts'

test('a list of the kernel is read', () => {
  expect(parseCoreList('0-2,7,9-10\n')).toEqual([0, 1, 2, 7, 9, 10])
  expect(parseCoreList('')).toEqual([])
})

test('numbers are written as the kernel writes them, in whatever order they are given', () => {
  expect(coreListText([7, 1, 0, 2])).toBe('0-2,7')
  expect(coreListText([3])).toBe('3')
})

test('what is written is read again', () =>
  forAll(uniqueArray(nat(300)), (cores) => {
    expect(parseCoreList(coreListText(cores))).toEqual(cores.toSorted((a, b) => a - b))
  }))

const secrets = {
  MONGO_PERF_URI: 'mongodb://user:secret@host/',
  MONGO_PERF_URI_NEW: 'mongodb://user:secret@other/',
  MONGO_PERF_TEST_URI: 'mongodb://user:secret@test/',
  MONGO_PERF_QUEUE: 'redis://user:secret@queue/',
}

test('a process that we start has our environment without URIs', () => {
  const others = { PATH: '/bin', MONGO_PERF_MONGOS: '/opt/mongos', MONGOMS_DOWNLOAD_DIR: '/tmp' }
  expect(envOfChildren({ ...others, ...secrets })).toEqual(others)
})

test('a program that is asked for its version is given none', async () => {
  const program = ['-p', 'Object.keys(process.env).filter((name) => name.startsWith("MONGO_PERF_URI")).length']
  const env = { ...process.env, ...secrets }
  const signal = new AbortController().signal
  const ended = await runProgram(process.execPath, program, { env, timeoutMs: 60_000, signal })
  expect(ended).toEqual({ ok: true, stdout: '0\n' })
})

const there = (folder: string) => (one: string) => one === folder
const nothing = () => false

test.each([
  ['linux', '/home/ada', {}, '/home/ada/.cache/mongo-perf', '/home/ada/.local/state/mongo-perf/servers'],
  [
    'darwin',
    '/Users/ada',
    {},
    '/Users/ada/Library/Caches/mongo-perf',
    '/Users/ada/Library/Application Support/mongo-perf/servers',
  ],
  [
    'win32',
    String.raw`C:\Users\ada`,
    { LOCALAPPDATA: String.raw`D:\local` },
    String.raw`D:\local\mongo-perf\Cache`,
    String.raw`D:\local\mongo-perf\Data\servers`,
  ],
  [
    'win32',
    String.raw`C:\Users\ada`,
    {},
    String.raw`C:\Users\ada\AppData\Local\mongo-perf\Cache`,
    String.raw`C:\Users\ada\AppData\Local\mongo-perf\Data\servers`,
  ],
] as const)('%s keeps our files where those of others are, under %s with %j', (platform, home, env, cache, state) =>
  expect([cacheFolder, stateFolder].map((find) => find({ platform, home, env }, nothing))).toEqual([cache, state]),
)

test.each(['darwin', 'linux'] as const)('on %s, folders of before and variables of Unix go first', (platform) => {
  const machine = { platform, home: '/h', env: {} }
  expect(cacheFolder(machine, there('/h/.cache/mongo-perf'))).toBe('/h/.cache/mongo-perf')
  expect(stateFolder(machine, there('/h/.local/state/mongo-perf'))).toBe('/h/.local/state/mongo-perf/servers')
  const named = { ...machine, env: { XDG_CACHE_HOME: '/c', XDG_STATE_HOME: '/s' } }
  expect([cacheFolder, stateFolder].map((find) => find(named, nothing))).toEqual([
    '/c/mongo-perf',
    '/s/mongo-perf/servers',
  ])
})

test('hints name the variable of the system', () =>
  expect((['linux', 'darwin', 'win32'] as const).map(tempVariable)).toEqual(['TMPDIR', 'TMPDIR', 'TEMP']))

test('no process that we start opens a window on Windows', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const open = sources.filter((file) => {
    const text = readFileSync(path.join('src', file), 'utf8')
    if (!/^import \{ (?!type \w+ \}).*'node:child_process'$/m.test(text)) return false
    const started = text.match(/\b(?:spawn|fork|execFile|execFileSync|runFile)\(/g) ?? []
    return started.length !== (text.match(/\.\.\.hidden|windowsHide: true,/g) ?? []).length
  })
  expect(open).toEqual([])
})
