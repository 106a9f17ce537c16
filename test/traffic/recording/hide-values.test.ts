import {
  Binary,
  BSONRegExp,
  Decimal128,
  deserialize,
  type Document,
  Double,
  Int32,
  Long,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson'
import { array, constantFrom, double, integer, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hideValues } from '../../../src/traffic/recording/hide-values.ts'
import { forAll } from '../../fakes/for-all.ts'
import { aCall, aReplyOf, commandOf, commands } from '../calls.ts'

/** With another one a number may be hidden by itself. */
const salt = Buffer.alloc(16, 1)

const hidden = (mode: 'hash' | 'shape', command: Document): Document =>
  commandOf(hideValues(mode, salt)(aCall(command)))

const secret = 'a secret of 23 letters!'

describe.each(['hash', 'shape'] as const)('"%s"', (mode) => {
  test.each<Document>([
    {
      find: 'orders',
      filter: {},
      sort: { at: -1 },
      limit: 10,
      skip: 20,
      hint: 'at_-1',
      projection: { at: 1, price: '$price' },
    },
    {
      aggregate: 'orders',
      pipeline: [{ $sort: { a: -1 } }, { $limit: 17 }, { $group: { _id: '$a', n: { $sum: 1 } } }],
      cursor: { batchSize: 50 },
    },
    {
      aggregate: 'orders',
      pipeline: [{ $lookup: { from: 'items', localField: 'a', foreignField: 'b', as: 'c' } }, { $out: 'elsewhere' }],
    },
    { getMore: Long.fromNumber(987_654_321, false), collection: 'orders', batchSize: 100 },
    {
      delete: 'orders',
      deletes: [{ q: {}, limit: 0, collation: { locale: 'en' } }],
      ordered: false,
      writeConcern: { w: 'majority' },
    },
    { createIndexes: 'orders', indexes: [{ key: { at: 1 }, name: 'at_1' }] },
    { aggregate: 'orders', pipeline: [{ $densify: { field: 'at', range: { step: 1, bounds: 'full' } } }] },
    { explain: { find: 'orders', filter: {}, sort: { at: -1 } }, verbosity: 'queryPlanner' },
  ])('keeps names, operators and options of %j', (command) =>
    expect(hidden(mode, command)).toEqual(commandOf(aCall(command))),
  )

  test('keeps types and lengths of all values', () => {
    const values = {
      text: 'häßlich',
      int: new Int32(-77),
      long: Long.fromNumber(5_000_000_000),
      double: new Double(1.25),
      whole: new Double(100),
      decimal: Decimal128.fromString('12.50'),
      date: new Date(1_700_000_000_000),
      stamp: new Timestamp({ t: 1_700_000_000, i: 7 }),
      id: new ObjectId('0123456789abcdef01234567'),
      uuid: new Binary(Buffer.alloc(16, 3), 4),
      regex: new BSONRegExp('^abc', 'i'),
      nothing: null,
      yes: true,
    }
    const call = aCall({ insert: 'a', documents: [values] })
    const read = hideValues(mode, salt)(call)
    expect(read.command.length).toBe(call.command.length)
    const [document] = deserialize(read.command, { promoteValues: false, bsonRegExp: true })['documents']
    const [before] = deserialize(call.command, { promoteValues: false, bsonRegExp: true })['documents']
    expect(Object.entries(document).map(typeOf)).toEqual(Object.entries(before).map(typeOf))
    expect(document.regex.pattern).toMatch(/^\^[\w-]{3}$/)
    expect([document.nothing, document.yes]).toEqual([null, true])
    for (const name of ['text', 'int', 'long', 'double', 'decimal', 'date', 'stamp', 'id', 'uuid'])
      expect(document[name]).not.toEqual(before[name])
  })
})

const typeOf = ([name, value]: [string, unknown]): string => `${name} ${(value as object | null)?.constructor.name}`

test('"hash" gives equal values for equal ones, others for others, and numbers of the same power of two', () => {
  const hide = hideValues('hash', salt)
  const hash = (value: unknown): unknown => commandOf(hide(aCall({ a: 1, filter: { value } })))['filter'].value
  forAll(array(integer(), { minLength: 2 }), (numbers) => {
    const read = numbers.map((number) => Number(hash(number)))
    expect(new Set(read).size).toBe(new Set(numbers).size)
    expect(read.map(magnitude)).toEqual(numbers.map(magnitude))
    expect(numbers.map((number) => Number(hash(number)))).toEqual(read)
  })
  forAll(
    double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
    (number) => {
      expect(magnitude(Number(hash(number)))).toBe(magnitude(number))
    },
  )
  forAll(string({ minLength: 8 }), string({ minLength: 8 }), (a, b) => {
    expect(hash(a) === hash(b)).toBe(a === b)
  })
})

/** Sign and exponent of a double. */
function magnitude(value: number): number {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes.readUInt16BE(0) >> 4
}

test('two recordings hash the same value differently', () => {
  const call = aCall({ find: 'a', filter: { name: secret } })
  expect(commandOf(hideValues('hash')(call))).not.toEqual(commandOf(hideValues('hash')(call)))
})

test('"shape" keeps no value and no digest, "keep" everything', () => {
  const call = aCall(
    { find: 'a', filter: { name: secret, n: 77 } },
    { reply: aReplyOf({ digest: 7n, upsertedIds: ['0123456789abcdef01234567'] }) },
  )
  expect(hideValues('keep')(call)).toBe(call)
  const read = hideValues('shape')(call)
  expect(commandOf(read)['filter']).toEqual({ name: 'x'.repeat(secret.length), n: 1 })
  expect(read.reply).toMatchObject({ digest: null, upsertedIds: [] })
  expect(Buffer.from(serialize(commandOf(call)))).toEqual(call.command)
})

test('whatever a command has, what is hidden is BSON of the same length', () =>
  forAll(commands, constantFrom('hash', 'shape'), (command, mode) => {
    expect(serialize(hidden(mode as 'hash', command)).length).toBe(serialize(command).length)
  }))
