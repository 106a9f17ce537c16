import { describe, expect, test } from 'vitest'
import { nearest } from '../../src/core/nearest.ts'
import { Issues, suggestion } from '../../src/language/issues.ts'

describe('a problem', () => {
  test('at or below a place that has one is its echo', () => {
    const issues = new Issues()
    for (const path of [['a'], ['a'], ['a', 0, 'b'], ['ab'], ['b', 'c'], ['b']])
      issues.add({ code: 'values', path, reason: `at ${path.join('.')}` })
    expect(issues.found.map(({ reason }) => reason)).toEqual(['at a', 'at ab', 'at b.c', 'at b'])
  })

  test('of the whole spec hides no other', () => {
    const issues = new Issues()
    for (const reason of ['one', 'two', 'one']) issues.add({ code: 'values', path: [], reason })
    issues.add({ code: 'values', path: ['a'], reason: 'three' })
    expect(issues.found.map(({ reason }) => reason)).toEqual(['one', 'two', 'three'])
  })
})

describe('the nearest word', () => {
  const words = ['@in', '@int', '@double', 'title', 'limit', 'batchSize']
  test.each([
    ['@itn', '@int'],
    ['@Double', '@double'],
    ['titel', 'title'],
    ['limt', 'limit'],
    ['batchsize', 'batchSize'],
    ['batch', 'batchSize'],
    ['BAT', 'batchSize'],
    ['ba', undefined],
    ['documentsPerCall', undefined],
    ['x', undefined],
  ])('of %s is %s', (word, near) => expect(nearest(word, words)).toBe(near))

  test('is suggested, or all known words if they are few', () => {
    expect(suggestion('titel', words)).toBe('; did you mean "title"?')
    expect(suggestion('zzzzzz', ['a', 'b'])).toBe('; known: a, b')
    expect(
      suggestion(
        'zzzzzz',
        Array.from({ length: 13 }, (_, i) => `word number ${i}`),
      ),
    ).toBe('')
  })
})
