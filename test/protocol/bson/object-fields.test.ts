import { BSONRegExp, Binary, Decimal128, Double, Int32, Long, MinKey, ObjectId, serialize, UUID } from 'bson'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findShape } from '../../../src/protocol/bson/command-shape.ts'

const shapeOfObject = (command: Readonly<Record<string, unknown>>) =>
  findShape({ database: 'shop', name: 'find', command })
const shapeOfBytes = (command: Readonly<Record<string, unknown>>) =>
  findShape({ database: 'shop', name: 'find', command: Buffer.from(serialize(command)) })

const scalars = [
  1,
  1.5,
  'text',
  null,
  true,
  new Date(0),
  /x/i,
  7n,
  new ObjectId(),
  new Double(1),
  new Int32(1),
  Long.fromNumber(1),
  new Decimal128('1'),
  new Binary(Buffer.from('x')),
  new UUID(),
  new BSONRegExp('x'),
  new MinKey(),
  Buffer.from('x'),
]

test.each(scalars.map((value) => [value]))('%o has the type that it has in BSON', (value) => {
  const command = { find: 'orders', filter: { value } }
  expect(shapeOfObject(command)).toEqual(shapeOfBytes(command))
})

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(...scalars),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '$in', 'cursor', 'ö'), tie('value'), { maxKeys: 3 }),
  ),
})).value

test('a command has the same shape as an object and as bytes', () => {
  const commands = fc.record({
    find: fc.constantFrom('orders', 'customers'),
    filter: fc.dictionary(fc.constantFrom('a', 'b', '$or', 'long'.repeat(90)), values, { maxKeys: 3 }),
    limit: fc.constantFrom(1, 5),
  })
  const property = fc.property(commands, (command) => {
    expect(shapeOfObject(command)).toEqual(shapeOfBytes(command))
  })
  fc.assert(property)
  expect.hasAssertions()
})

test('a sort that is a map, as in newer drivers, is one that is an object', () => {
  const filter = { customer: 1 }
  const shape = shapeOfObject({ find: 'orders', filter, sort: new Map([['at', -1]]) })
  expect(shape).toEqual(shapeOfBytes({ find: 'orders', filter, sort: { at: -1 } }))
  expect(shape.keys).toEqual(['customer'])
})
