import { Decimal128, deserialize, ObjectId } from 'bson'
import * as mongodb from 'mongodb'
import { expect, test } from 'vitest'
import { bundledDriver } from '../../../../src/load/engines/driver/load-driver.ts'
import { phaseForDriver, createTranslate } from '../../../../src/load/engines/driver/translate.ts'
import { aPlan } from '../../../fakes/a-plan.ts'
import { aPhase } from '../../../fakes/a-spec.ts'

/** Its values are other objects of the same types, as those of another version would be. */
const translate = createTranslate({ deserialize: (bytes, options) => deserialize(bytes, options) })

test('values of BSON are made anew wherever they stand, and keep what they are', () => {
  const id = new ObjectId()
  const price = Decimal128.fromString('1.25')
  const given = [{ _id: id, list: [{ price }] }, { ordered: true }]
  const translated = translate(given)
  expect(translated).toEqual(given)
  expect(translated).not.toBe(given)
  expect(Reflect.get(translated[0] ?? {}, '_id')).not.toBe(id)
  expect(Reflect.get(given[0] ?? {}, '_id')).toBe(id)
})

test('what holds no value of BSON stays the same object', () => {
  const signal = new AbortController().signal
  const given = [{ at: new Date(0), text: 'a', bytes: new Uint8Array(2), long: 2n, none: null }, { signal }]
  expect(translate(given)).toBe(given)
})

test('of the operations of a phase, functions alone get values of the BSON of their driver where others need none', () => {
  const id = { $oid: '0123456789abcdef01234567' }
  const operations = [
    { kind: 'function', function: 'find', with: { id } },
    { kind: 'findOne', filter: { id } },
    { kind: 'steps', steps: [{ kind: 'function', function: 'find', with: { id } }] },
  ]
  const phase = phaseForDriver(aPlan({ phases: [aPhase({ operations })] }), bundledDriver())
  const [own, method, steps] = operations.map((_, i) => phase.firstCalls(i, 1)[0])
  const [step] = steps?.steps ?? []
  const ids = [own?.args.with, step?.([])?.args.with, method?.args.filter].map(
    (values) => (values as { id: unknown }).id,
  )
  expect(ids.map((one) => one instanceof mongodb.ObjectId)).toEqual([true, true, false])
  expect(ids.map(String)).toEqual(ids.map(() => id.$oid))
})
