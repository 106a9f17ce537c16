import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findMongos, listMongoses } from '../../../../../src/servers/targets/server/programs/programs.ts'
import { type PlantedHome, plantedHome } from '../../../../fakes/planted-home.ts'

let place: PlantedHome
let home: string
beforeEach(async () => {
  place = await plantedHome()
  ;({ home } = place)
})
afterEach(() => place[Symbol.asyncDispose]())

/** A program that tells a version as mongos does. */
const plant = (file: string, version: string): Promise<string> => place.plant(file, `mongos version v${version}`)

test('a path in the spec goes before the variable, that before the folder of the mongod, and the PATH comes last', async () => {
  const named = await plant('named/mongos', '6.0.1')
  const ofVariable = await plant('variable/mongos', '6.0.2')
  const beside = await plant('mongodb/bin/mongos', '6.0.3')
  const onPath = await plant('bin/mongos', '6.0.4')
  const mongod = path.join(path.dirname(beside), 'mongod')
  const PATH = path.join(home, 'bin')
  const all = place.contextWith({ PATH, MONGO_PERF_MONGOS: ofVariable })
  expect(await findMongos({ binary: named, mongod }, all)).toMatchObject({ path: named, version: '6.0.1' })
  expect(await findMongos({ mongod }, all)).toMatchObject({ path: ofVariable, version: '6.0.2' })
  expect(await findMongos({ mongod }, place.contextWith({ PATH }))).toMatchObject({ path: beside, version: '6.0.3' })
  expect(await findMongos({}, place.contextWith({ PATH }))).toMatchObject({ path: onPath, version: '6.0.4' })
})

test('a wanted version passes over others', async () => {
  await plant('mongodb/bin/mongos', '7.0.1')
  const onPath = await plant('bin/mongos', '6.0.5')
  const wanted = { version: '6.0', mongod: path.join(home, 'mongodb/bin/mongod') }
  expect(await findMongos(wanted, place.contextWith({ PATH: path.join(home, 'bin') }))).toMatchObject({ path: onPath })
})

test('without one a cluster cannot be measured here: all ways are told, in one line', async () => {
  await place.plant('bin/mongos', 'db version v6.0.5')
  const problem = findMongos({ mongod: path.join(home, 'mongod') }, place.contextWith({ PATH: path.join(home, 'bin') }))
  await expect(problem).rejects.toMatchObject({
    code: 'not-measurable-here',
    message: `A sharded cluster needs a router, and no mongos was found (${[
      'path in the spec: none given',
      'variable MONGO_PERF_MONGOS: not set',
      'mongos beside the mongod: none there',
      `mongos on the PATH: ${path.join(home, 'bin', 'mongos')} does not print a version as mongos does`,
    ].join('; ')})`,
    hint: expect.stringMatching(/PATH.*MONGO_PERF_MONGOS.*mongodb-runner/),
  })
})

test('a binary that was named is the one to route with: no other takes its place', async () => {
  await plant('bin/mongos', '6.0.5')
  const problem = findMongos({ binary: 'mine/mongos' }, place.contextWith({ PATH: path.join(home, 'bin') }))
  await expect(problem).rejects.toMatchObject({ message: expect.stringContaining('mine/mongos does not exist)') })
})

test('all of them are listed', async () => {
  const beside = await plant('mongodb/bin/mongos', '6.0.3')
  const listed = await listMongoses(place.contextWith({}), path.join(path.dirname(beside), 'mongod'))
  expect(listed).toEqual([
    { source: 'variable MONGO_PERF_MONGOS', kind: 'nothing', reason: 'not set' },
    { source: 'mongos beside the mongod', kind: 'runs', path: beside, version: '6.0.3' },
    { source: 'mongos on the PATH', kind: 'nothing', reason: 'none there' },
  ])
})
