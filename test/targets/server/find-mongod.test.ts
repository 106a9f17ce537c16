import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Problem } from '../../../src/errors.ts'
import { findMongod, type FoundMongod } from '../../../src/targets/server/find-mongod.ts'
import { type Machine } from '../../../src/targets/server/machine.ts'
import { environmentVariable } from '../../../src/targets/server/sources/environment-variable.ts'
import { givenPath } from '../../../src/targets/server/sources/given-path.ts'
import { memoryServerCache } from '../../../src/targets/server/sources/memory-server-cache.ts'
import { ownCache } from '../../../src/targets/server/sources/own-cache.ts'
import { searchPath } from '../../../src/targets/server/sources/search-path.ts'
import { type WantedMongod } from '../../../src/targets/server/sources/source.ts'

let home: string
beforeEach(async () => void (home = await mkdtemp(path.join(tmpdir(), 'mongo-perf-find-'))))
afterEach(() => rm(home, { recursive: true, force: true }))

/** A program that tells a version as mongod does. */
async function plant(file: string, version: string): Promise<string> {
  const target = path.join(home, file)
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, `#!/bin/sh\necho "db version v${version}"\n`)
  await chmod(target, 0o755)
  return target
}

function find(wanted: WantedMongod, env: Machine['env'] = {}): Promise<FoundMongod> {
  const machine = { env, home, tempFolder: home, workingFolder: home, platform: process.platform, arch: process.arch }
  const local = [givenPath, environmentVariable, searchPath, memoryServerCache, ownCache]
  return findMongod(wanted, { machine, signal: new AbortController().signal, log: () => undefined }, local)
}

test('the first source whose binary runs is taken, and why the others were not is told', async () => {
  const onPath = await plant('bin/mongod', '7.0.1')
  await plant('.cache/mongo-perf/mongod-x64-linux-6.0.5', '6.0.5')
  const env = { MONGOMS_SYSTEM_BINARY: path.join(home, 'nowhere'), PATH: path.join(home, 'bin') }
  expect(await find({}, env)).toEqual({
    path: onPath,
    version: '7.0.1',
    source: 'mongod on the PATH',
    tried: [
      { source: 'path in the spec or from --mongod', reason: 'none given' },
      { source: 'variable MONGOMS_SYSTEM_BINARY', reason: `${path.join(home, 'nowhere')} does not exist` },
    ],
  })
})

test('a wanted version passes over binaries of others', async () => {
  await plant('bin/mongod', '7.0.1')
  const cached = await plant('.cache/mongo-perf/mongod-x64-linux-6.0.5', '6.0.5')
  expect(await find({ version: '6.0' }, { PATH: path.join(home, 'bin') })).toMatchObject({
    path: cached,
    version: '6.0.5',
  })
})

test('a cache with several versions gives the newest, and skips what was fetched by half', async () => {
  for (const version of ['8.0.4', '8.0.12', '8.2.1']) {
    await plant(`.cache/mongodb-binaries/mongod-x64-debian-${version}`, version)
    if (version !== '8.2.1') await plant(`.cache/mongodb-binaries/mongod-x64-debian-${version}.md5`, version)
  }
  expect(await find({})).toMatchObject({ version: '8.0.12', source: 'cache of mongodb-memory-server' })
})

test('a binary that was named is the one to measure: no other takes its place', async () => {
  await plant('bin/mongod', '7.0.1')
  const problem = await find({ binary: 'mine/mongod' }, { PATH: path.join(home, 'bin') }).catch(
    (error: unknown) => error,
  )
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toMatchObject({ code: 'no-server', message: expect.stringContaining('mine/mongod does not exist') })
})

test('when nothing is found, every source is listed with its reason', async () => {
  await expect(find({ version: '9.9' })).rejects.toMatchObject({
    code: 'no-server',
    message: [
      'No mongod 9.9 can be started here:',
      '  - path in the spec or from --mongod: none given',
      '  - variable MONGOMS_SYSTEM_BINARY: not set',
      '  - mongod on the PATH: none there',
      '  - cache of mongodb-memory-server: empty',
      '  - cache of mongo-perf: empty',
    ].join('\n'),
  })
})
