import * as mongodb from 'mongodb'
import { describe, expect, test } from 'vitest'
import { driverVersion } from '../../src/core/versions.ts'
import { loadDriverFrom, bundledDriver } from '../../src/load/engines/driver/load-driver.ts'
import { checkDriver } from '../../src/run/preflight/check-abilities.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'

const loadWith = (changes: object, settings: object = {}) => {
  const load = { kind: 'closed', workers: 4, ...settings }
  const phase = { name: 'insert', load, stopAfter: { operations: 10 }, operations: [{ kind: 'insertOne' }] }
  const data = { collection: 'docs', document: { _id: { '@row': {} } } }
  const target = { kind: 'replicaSet', members: 1 }
  return loadSpecText(JSON.stringify({ name: 'a', target, data, phases: [phase], ...changes }), 'a.json')
}

const handedIn = await loadDriverFrom(mongodb)
const olderBson = { ...handedIn, translate: <Value>(value: Value): Value => value }
const checks = [{ kind: 'acknowledgedWritesSurvive', name: 'survive', operation: 'insert.insertOne' }]

test('a driver that is handed in is known by its version', () => {
  expect(handedIn).toMatchObject({ version: driverVersion(), isBundled: false })
  expect(handedIn.translate).toBeUndefined()
})

describe('what a driver that is handed in cannot do is a problem', () => {
  test('phases of the engine "wire", where there are no others', () => {
    const [insert] = loadWith({}).rows.flatMap(({ spec }) => spec.phases)
    const phases = [{ ...insert, engine: 'wire', load: { kind: 'closed', workers: 4, threads: 2 } }]
    expect(() => checkDriver(loadWith({ phases }), handedIn)).toSay('driver-not-used')
    expect(() => checkDriver(loadWith({ phases }), bundledDriver())).not.toThrow()
    const both = [...phases, { ...insert, name: 'more' }]
    expect(() => checkDriver(loadWith({ phases: both }), handedIn)).not.toThrow()
  })

  test('threads', () => {
    expect(() => checkDriver(loadWith({}, { threads: 2 }), handedIn)).toSay('driver-one-thread')
    expect(() => checkDriver(loadWith({}, { threads: 2 }), bundledDriver())).not.toThrow()
    expect(() => checkDriver(loadWith({}), handedIn)).not.toThrow()
  })

  test('checks, where its BSON is not ours', () => {
    expect(() => checkDriver(loadWith({ checks }), olderBson)).toSay('driver-other-bson', { version: driverVersion() })
    expect(() => checkDriver(loadWith({ checks }), handedIn)).not.toThrow()
  })

  test('anything that is no driver', async () => {
    const wrong = { ...mongodb, MongoClient: Date }
    await expect(loadDriverFrom(wrong)).rejects.toSay('driver-no-driver')
  })
})
