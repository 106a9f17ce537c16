import { assert, nat, property, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { runProgram } from '../../src/servers/child-process.ts'
import { coreListText, parseCoreList, envOfChildren } from '../../src/servers/machine.ts'

test('a list of the kernel is read', () => {
  expect(parseCoreList('0-2,7,9-10\n')).toEqual([0, 1, 2, 7, 9, 10])
  expect(parseCoreList('')).toEqual([])
})

test('numbers are written as the kernel writes them, in whatever order they are given', () => {
  expect(coreListText([7, 1, 0, 2])).toBe('0-2,7')
  expect(coreListText([3])).toBe('3')
})

test('what is written is read again', () => {
  assert(
    property(uniqueArray(nat(300)), (cores) => {
      expect(parseCoreList(coreListText(cores))).toEqual(cores.toSorted((a, b) => a - b))
    }),
  )
})

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
