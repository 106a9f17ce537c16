import { expect, test } from 'vitest'
import { errorText } from '../../src/measure/error-counts.ts'

test.each([
  [{ code: '11000', name: 'DuplicateKey', message: 'the key is taken' }, 'DuplicateKey (11000): the key is taken'],
  [{ code: 'other', name: 'other', message: 'the rest' }, 'other: the rest'],
  [{ code: 'ENOENT', name: 'FileNotFound', message: 'FileNotFound: no f1' }, 'FileNotFound (ENOENT): no f1'],
])('an error is told once, with its code: %j', (error, text) => {
  expect(errorText(error)).toBe(text)
})
