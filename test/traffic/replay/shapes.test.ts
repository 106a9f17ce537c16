import { type Document } from 'bson'
import { expect, test } from 'vitest'
import { describeShape, hashShape } from '../../../src/traffic/replay/shape.ts'
import { Shapes } from '../../../src/traffic/replay/shapes.ts'
import { aCall } from '../calls.ts'

const commands: readonly (readonly [Document, shape: string])[] = [
  [{ find: 'orders', filter: { a: 1, at: { $gt: 5 } }, sort: { at: -1 } }, 'find shop.orders {a, at: {$gt}} sort {at}'],
  [{ find: 'orders', filter: { a: { $in: [1, 2] } } }, 'find shop.orders {a: {$in: []}}'],
  [{ insert: 'orders', documents: [{ a: 1 }] }, 'insert shop.orders'],
  [{ update: 'orders', updates: [{ q: { _id: 1 }, u: { $set: { a: 1 } } }] }, 'update shop.orders {_id} {$set: {a}}'],
  [{ update: 'orders', updates: [{ q: { _id: 1 }, u: { a: 1 } }] }, 'update shop.orders {_id} {…}'],
  [{ aggregate: 'orders', pipeline: [{ $match: { a: 1 } }, { $count: 'n' }] }, 'aggregate shop.orders [{$match: {a}}, {$count}]'],
  [{ commitTransaction: 1 }, 'commitTransaction'],
]

test.each(commands)('the shape of %o has its keys, and none of its values', (command, shape) => {
  expect(describeShape(aCall(command))).toBe(shape)
})

test('commands that differ in values alone have one hash, and shapes have different ones', () => {
  const hashes = new Set(commands.map(([command]) => hashShape(aCall(command))))
  expect(hashes.size).toBe(commands.length)
  const finds = [1, 'text', null].map((value) => hashShape(aCall({ find: 'orders', filter: { a: value } })))
  expect(new Set(finds).size).toBe(1)
})

test('names are those of addresses, and each is another one', () => {
  const shapes = new Shapes()
  for (const [command] of [...commands, ...commands]) shapes.of(aCall(command))
  expect(shapes.list.map(({ name }) => name)).toEqual([
    'find-orders-a-at-gt-sort-a',
    'find-orders-a-in',
    'insert-orders',
    'update-orders-_id-set-a',
    'update-orders-_id',
    'aggregate-orders-match-a-c',
    'commitTransaction',
  ])
})

test('what has too many shapes is one row at the end', () => {
  const shapes = new Shapes()
  for (let i = 0; i < 1000; i++) shapes.of(aCall({ find: 'orders', filter: { [`a${i}`]: 1 } }))
  expect(shapes.list).toHaveLength(200)
  expect(shapes.list.at(-1)?.text).toBe('other shapes')
})
