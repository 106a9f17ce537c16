import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findShape } from '../../../src/protocol/bson/command-shape.ts'
import { Shapes, hashShape } from '../../../src/traffic/replay/shapes.ts'
import { aCall } from '../calls.ts'

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(1, 2, 'text', 'other', null, true, new Date(0)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '$in', 'cursor'), tie('value'), { maxKeys: 3 }),
  ),
})).value
const commands = fc.record({
  find: fc.constantFrom('orders', 'customers'),
  filter: fc.dictionary(fc.constantFrom('a', 'b', '$or'), values, { maxKeys: 3 }),
  limit: fc.constantFrom(1, 5),
})

test('calls of different shapes have different hashes', () => {
  const property = fc.property(commands, commands, (one, other) => {
    const [a, b] = [aCall(one), aCall(other)]
    fc.pre(findShape(a).text !== findShape(b).text)
    expect(hashShape(a)).not.toBe(hashShape(b))
  })
  fc.assert(property)
  expect.hasAssertions()
})

test('calls that differ in values, or in the length of a list, have one hash', () => {
  const filters = [
    { a: 1, b: { $in: ['x'] } },
    { a: 2, b: { $in: ['y', 'z'] } },
  ]
  const [one, other] = filters.map((filter, i) => hashShape(aCall({ find: 'orders', filter, batchSize: i })))
  expect(one).toBe(other)
})

test('names are those of addresses, and each is another one', () => {
  const shapes = new Shapes()
  const filters = [{ customer: 1 }, { customer: 'text' }, { customer: 1 }, { status: 1, at: { $gt: new Date(0) } }]
  expect(filters.map((filter) => shapes.of(aCall({ find: 'orders', filter })))).toEqual([0, 1, 0, 2])
  const names = shapes.list.map(({ name }) => name)
  expect(names).toEqual(['find-orders-customer', 'find-orders-customer-2', 'find-orders-status-at'])
})

test('what has too many shapes is one row at the end', () => {
  const shapes = new Shapes()
  for (let i = 0; i < 1000; i++) shapes.of(aCall({ find: 'orders', filter: { [`a${i}`]: 1 } }))
  expect(shapes.list).toHaveLength(200)
  expect(shapes.list.at(-1)?.text).toBe('other shapes')
})
