import { expect, test } from 'vitest'
import { envOfChildren } from '../../src/servers/machine.ts'
import { runProgram } from '../../src/servers/targets/server/programs/run-program.ts'

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
  expect(await runProgram(process.execPath, program, { env, timeoutMs: 60_000, signal })).toEqual({
    ok: true,
    stdout: '0\n',
  })
})
