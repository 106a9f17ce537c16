import { Binary, deserialize, Double, Int32, Long, ObjectId, serialize, UUID } from 'bson'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { fromJson, toJson, unwrap } from '../../../src/language/values/extended-json.ts'
import { forAll } from '../../fakes/for-all.ts'

/** What a server would get: the type as it is on the wire. */
const onTheWire = (value: Json): unknown =>
  deserialize(serialize({ value: compileJson(value).draw(0) }), { promoteValues: false })['value']

describe('types on the wire', () => {
  test.each<[Json, unknown]>([
    [5, new Int32(5)],
    [-2147483648, new Int32(-2147483648)],
    [2147483648, Long.fromNumber(2147483648)],
    [Number.MAX_SAFE_INTEGER, Long.fromNumber(Number.MAX_SAFE_INTEGER)],
    [-0, new Int32(0)],
    [1.5, new Double(1.5)],
    [{ $numberInt: '5' }, new Int32(5)],
    [{ $numberLong: '5' }, Long.fromNumber(5)],
    [{ $numberLong: '-9223372036854775808' }, Long.MIN_VALUE],
    [{ $numberDouble: '5.0' }, new Double(5)],
    [{ $numberDouble: '1' }, new Double(1)],
    [{ $numberDouble: '-0.0' }, new Double(-0)],
    [{ $numberDouble: 'Infinity' }, new Double(Infinity)],
    [{ $oid: '0123456789abcdef01234567' }, new ObjectId('0123456789abcdef01234567')],
    [{ $date: '2026-01-01T00:00:00Z' }, new Date('2026-01-01T00:00:00Z')],
    [{ $date: { $numberLong: '-1' } }, new Date(-1)],
    [{ '@toDouble': 2 }, new Double(2)],
    [{ '@toLong': 2 }, Long.fromNumber(2)],
    [{ '@literal': { $numberDouble: '2.0' } }, new Double(2)],
  ])('%j', (written, value) => expect(onTheWire(written)).toStrictEqual(value))

  test('a UUID is binary of subtype 4', () => {
    const sent = onTheWire({ $uuid: '6fa459ea-ee8a-4ca4-894e-db77e160355e' }) as Binary
    expect([sent.sub_type, new UUID(sent.buffer).toString()]).toEqual([4, '6fa459ea-ee8a-4ca4-894e-db77e160355e'])
  })
})

test.each<JsonObject>([
  { $oid: 'zz' },
  { $oid: 5 },
  { $date: 'yesterday' },
  { $date: null },
  { $date: { $numberLong: '99999999999999999' } },
  { $uuid: 'x' },
  { $binary: 'x' },
  { $binary: { base64: 5, subType: '00' } },
  { $numberInt: 'abc' },
  { $numberInt: '2147483648' },
  { $numberInt: '1.5' },
  { $numberLong: '9223372036854775808' },
  { $numberLong: 5 },
  { $numberDouble: 'xyz' },
  { $numberDecimal: 'zz' },
  { $regularExpression: { pattern: 5, options: '' } },
  { $timestamp: { t: 1 } },
  { $minKey: 0 },
  { $code: null },
  { $symbol: {} },
])('what does not fit its type is refused, never sent as something else %j', (written) => {
  expect(() => unwrap(written)).toThrow(/cannot hold|Decimal128/)
  expect(() => compileJson(written)).toThrow('not valid Extended JSON')
  expect(() => compileJson({ '@literal': [written] })).toThrow('not valid Extended JSON')
})

test('objects that only look like a type are objects', () =>
  expect(compileJson({ a: { $regex: 'x', $options: 'i' }, b: { $gt: 5 }, c: { $date: 1, $oid: 2 } }).draw(0)).toEqual({
    a: { $regex: 'x', $options: 'i' },
    b: { $gt: 5 },
    c: { $date: 1, $oid: 2 },
  }))

const values = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true }).filter((value) => !Number.isInteger(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).filter((value) => value < -(2n ** 31n) || value >= 2n ** 31n),
  fc.integer().map((value) => new Double(value)),
  fc.string(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc.uint8Array().map((bytes) => new Binary(bytes)),
)

test('a static result is read again as what it was', () =>
  forAll(values, (value) => {
    expect(fromJson(toJson(value))).toStrictEqual(value)
  }))

test('a whole number is written so that it may also stand where the tool itself wants a number', () =>
  expect(compileJson({ '@multiply': [100_000, 100_000] }).folded).toBe(10_000_000_000))
