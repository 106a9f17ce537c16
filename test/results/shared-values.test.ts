import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json } from '../../src/core/json.ts'
import { shareValues, unshareValues } from '../../src/results/files/pack-result.ts'

const long = 'a text that is long enough to be worth it'

test('what stands twice and is long is written once', () => {
  const { value, shared } = shareValues([{ a: long, b: 'short' }, { c: long, b: 'short' }, long])
  expect(value).toEqual([{ a: { '@shared': 0 }, b: 'short' }, { c: { '@shared': 0 }, b: 'short' }, { '@shared': 0 }])
  expect(shared).toEqual([long])
})

test('of what repeats with all that is in it, the whole is shared', () => {
  const { value, shared } = shareValues([{ a: [long] }, { a: [long] }, long])
  expect(value).toEqual([{ '@shared': 0 }, { '@shared': 0 }, { '@shared': 1 }])
  expect(shared).toEqual([{ a: [long] }, long])
})

test('values come back as they were', () => {
  const part = fc.constantFrom<Json>(long, [long, 1], { x: long, y: [{ z: long }] }, null, 7, 'short')
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.array(part), fc.dictionary(fc.string(), part), fc.jsonValue())), (value) => {
      const stored = JSON.parse(JSON.stringify(value)) as Json
      const packed = shareValues(stored)
      expect(unshareValues(packed.value, packed.shared)).toEqual(stored)
    }),
  )
})

test('a reference that points nowhere stays, and the schema rejects it', () => {
  expect(unshareValues([{ '@shared': 3 }], [long])).toEqual([{ '@shared': 3 }])
})

test('references beyond what they may stand for stay too', () => {
  const length = JSON.stringify(long).length
  const [first, second] = [{ '@shared': 0 }, { '@shared': 0 }]
  expect(unshareValues([first, second], [long], 2 * length)).toEqual([long, long])
  expect(unshareValues([first, second], [long], 2 * length - 1)).toEqual([long, second])
})
