import { expect, test } from 'vitest'
import { mapParts, partAt, listParts } from '../../src/core/json.ts'

test('parts of lists have positions, parts of objects have keys, and nothing else has parts', () => {
  expect(listParts(['a', 'b'])).toEqual([
    [0, 'a'],
    [1, 'b'],
  ])
  expect(listParts({ x: 1 })).toEqual([['x', 1]])
  expect([null, 1, 'text', undefined].flatMap(listParts)).toEqual([])
})

test('each part is replaced in its place', () => {
  expect(mapParts([1, 2], (part, step) => [part, step])).toEqual([
    [1, 0],
    [2, 1],
  ])
  expect(mapParts({ x: 1 }, (part, step) => `${String(step)}${JSON.stringify(part)}`)).toEqual({ x: 'x1' })
  expect(mapParts('text', () => null)).toBe('text')
})

test('a part is found by its path, and what only every object has is none', () => {
  expect(partAt({ a: [{ b: null }] }, ['a', 0, 'b'])).toBeNull()
  expect(partAt({ a: 1 }, ['a', 'b'])).toBeUndefined()
  expect(partAt({}, ['toString'])).toBeUndefined()
})
