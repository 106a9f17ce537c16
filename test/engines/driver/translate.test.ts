import { Decimal128, deserialize, ObjectId } from 'bson'
import { expect, test } from 'vitest'
import { createTranslate, translatePhase } from '../../../src/engines/driver/translate.ts'
import { compilePhase } from '../../../src/plan/compile-phase.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

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

test('the values of a function are translated too', () => {
  const operation = { kind: 'function', function: 'find', with: { id: { $oid: '0123456789abcdef01234567' }, n: 5 } }
  const { spec } = oneRow({ data: [], phases: [aPhase({ operations: [operation] })] })
  const context = { seed: spec.seed, report: (_: unknown, reason: string) => fail(reason) }
  const phase = compilePhase(spec.phases[0] ?? fail('no phase'), ['phases', 0], [], context)
  const ids: unknown[] = []
  const given = translatePhase(phase, (value) => {
    ids.push(Reflect.get(Object(Reflect.get(Object(value), 'with')), 'id'))
    return translate(value)
  })
  const call = given.calls('measured').next()
  expect(call.args.with).toEqual({ id: new ObjectId('0123456789abcdef01234567'), n: 5 })
  expect(ids).toEqual([expect.any(ObjectId)])
  expect(Reflect.get(Object(call.args.with), 'id')).not.toBe(ids[0])
})
