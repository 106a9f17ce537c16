import path from 'node:path'
import { expect, test } from 'vitest'
import { findMongos, listMongoses } from '../../../../../src/servers/targets/server/programs/programs.ts'
import { usePlantedHome } from '../../../../fakes/planted-home.ts'

const place = usePlantedHome()
const { inHome } = place

/** A program that tells a version as mongos does. */
const plant = (file: string, version: string): Promise<string> => place.plant(file, `mongos version v${version}`)

test('a path in the spec goes before the variable, that before the folder of the mongod, and the PATH comes last', async () => {
  const named = await plant('named/mongos', '6.0.1')
  const ofVariable = await plant('variable/mongos', '6.0.2')
  const beside = await plant('mongodb/bin/mongos', '6.0.3')
  const onPath = await plant('bin/mongos', '6.0.4')
  const mongod = path.join(path.dirname(beside), 'mongod')
  const PATH = inHome('bin')
  const all = place.contextWith({ PATH, MONGO_PERF_MONGOS: ofVariable })
  expect(await findMongos({ binary: named, mongod }, all)).toMatchObject({ path: named, version: '6.0.1' })
  expect(await findMongos({ mongod }, all)).toMatchObject({ path: ofVariable, version: '6.0.2' })
  expect(await findMongos({ mongod }, place.contextWith({ PATH }))).toMatchObject({ path: beside, version: '6.0.3' })
  expect(await findMongos({}, place.contextWith({ PATH }))).toMatchObject({ path: onPath, version: '6.0.4' })
})

test('a wanted version passes over others', async () => {
  await plant('mongodb/bin/mongos', '7.0.1')
  const onPath = await plant('bin/mongos', '6.0.5')
  const wanted = { version: '6.0', mongod: inHome('mongodb/bin/mongod') }
  expect(await findMongos(wanted, place.contextWith({ PATH: inHome('bin') }))).toMatchObject({ path: onPath })
})

test('without one a cluster cannot be measured here: all ways are told, in one line', async () => {
  await place.plant('bin/mongos', 'db version v6.0.5')
  const problem = findMongos({ mongod: inHome('mongod') }, place.contextWith({ PATH: inHome('bin') }))
  await expect(problem).rejects.toSay('mongos-not-found', { onPath: inHome('bin', 'mongos') })
})

test('a binary that was named is the one to route with: no other takes its place', async () => {
  await plant('bin/mongos', '6.0.5')
  const problem = findMongos({ binary: 'mine/mongos' }, place.contextWith({ PATH: inHome('bin') }))
  await expect(problem).rejects.toSay('mongos-not-there', { path: inHome('mine/mongos') })
})

test('all of them are listed', async () => {
  const beside = await plant('mongodb/bin/mongos', '6.0.3')
  const listed = await listMongoses(place.contextWith({}), path.join(path.dirname(beside), 'mongod'))
  expect(listed).toEqual([
    { source: expect.toSay('mongos-source-variable'), kind: 'nothing', reason: 'not set' },
    { source: expect.toSay('mongos-source-beside'), kind: 'runs', path: beside, version: '6.0.3' },
    { source: expect.toSay('mongos-source-path'), kind: 'nothing', reason: 'none there' },
    {
      source: 'download by mongodb-downloader',
      kind: 'nothing',
      reason: expect.toSay('downloader-not-installed'),
    },
  ])
})
