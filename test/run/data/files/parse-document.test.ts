import { Decimal128, deserialize, Double, EJSON, Long, ObjectId, serialize, Timestamp } from 'bson'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../../../../src/run/data/files/parse-document.ts'

describe('a document of a file', () => {
  test.each<[string, unknown]>([
    ['5', 5],
    ['-2147483649', -2147483649n],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1.0', new Double(1)],
    ['-0.0', new Double(-0)],
    ['1e3', new Double(1000)],
    ['1.5', 1.5],
    ['18446744073709551616', new Double(18446744073709551616)],
    ['{"$numberDouble":"7"}', new Double(7)],
    ['{"$numberLong":"7"}', 7n],
    ['{"$numberInt":"7"}', 7],
    ['{"$numberDecimal":"1.10"}', Decimal128.fromString('1.10')],
    ['{"$oid":"65f000000000000000000001"}', new ObjectId('65f000000000000000000001')],
    ['{"$date":"2026-01-02T03:04:05.006Z"}', new Date('2026-01-02T03:04:05.006Z')],
    ['{"$date":{"$numberLong":"-1"}}', new Date(-1)],
    // As mongoexport wrote it before 2.6.
    ['{"$date":1393804800000}', new Date('2014-03-03T00:00:00Z')],
    ['{"$timestamp":{"t":4294967295,"i":1}}', new Timestamp({ t: 4294967295, i: 1 })],
    ['"1.0 and 12345678901234567890"', '1.0 and 12345678901234567890'],
    ['"a \\"1.0\\", b"', 'a "1.0", b'],
    ['{"$ref":"orders","$id":1}', { $ref: 'orders', $id: 1 }],
    ['[null,true]', [null, true]],
  ])('keeps the type of %s', (text, value) => {
    expect(parseDocument(`{"a":${text}}`)).toEqual({ a: value })
  })

  test.each([
    ['{"a":}', 'document-not-json', {}],
    ['[{"a":1}]', 'document-of-array', {}],
    ['[{"a":1},', 'document-of-array', {}],
    ['5', 'document-is-none', {}],
    ['null', 'document-is-none', {}],
    ['{"$oid":"65f000000000000000000001"}', 'document-is-none', {}],
    ['{"a":ObjectId("65f000000000000000000001")}', 'document-of-shell', {}],
    ["{'a':1}", 'document-of-shell', {}],
    ['{ a: 1 }', 'document-of-shell', {}],
    ['{"a":{"$date":1e300}}', 'document-type-unreadable', { type: '$date' }],
    ['{"a":{"$oid":"65f0"}}', 'document-type-unreadable', { type: '$oid' }],
    ['{"a":{"$numberInt":"3000000000"}}', 'document-type-unreadable', { type: '$numberInt' }],
    ['{"a":{"$binary":"AA==","$type":"00"}}', 'document-type-with-other-keys', { type: '$binary' }],
    [`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'document-too-deep', {}],
  ])('is refused when it is %s', (text, code, data) => {
    expect(() => parseDocument(text)).toSay(code, data)
  })

  test('that is refused is not quoted', () => {
    expect(() => parseDocument('{"secret":"x"')).toThrow(/^is not JSON: (?!.*secret).*$/)
    expect(() => parseDocument('{"iban": DE89370400440532013000}')).toThrow(/^is not JSON: (?!.*DE89).*$/)
  })

  test('keeps a field called __proto__ and changes no prototype', () => {
    const parsed = parseDocument('{"__proto__":{"polluted":1}}')
    expect(Object.keys(parsed)).toEqual(['__proto__'])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

const bytesOf = (document: object): string => Buffer.from(serialize(document)).toString('hex')

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true }).map((number) => new Double(number)),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((number) => Long.fromBigInt(number)),
    fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z]\w{0,5}$/), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('any document in canonical Extended JSON is read as the same bytes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]\w{0,5}$/), values, { maxKeys: 6 }), (document) => {
      const stored = deserialize(serialize(document), { promoteValues: false })
      const text = EJSON.stringify(stored, { relaxed: false })
      expect(bytesOf(parseDocument(text))).toBe(bytesOf(document))
    }),
  )
})

test('a text of many megabytes and marks is read', () => {
  const text = '\\"1.0,\\n'.repeat(1_000_000)
  expect(parseDocument(`{"a":"${text}","b":1.0}`)).toEqual({ a: '"1.0,\n'.repeat(1_000_000), b: new Double(1) })
})
