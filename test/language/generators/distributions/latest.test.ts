import { expect, test } from 'vitest'
import { pick } from './draws.ts'

test.each([1, 2, 10, 1000])('latest is zipfian from the newest of %i rows back', (rows) => {
  const newest = rows - 1
  expect(pick('latest', rows, 5000)).toEqual(pick('zipfian', rows, 5000).map((rank) => newest - rank))
  const steep = { exponent: 0.5 }
  expect(pick({ kind: 'latest', ...steep }, rows, 5000, 7)).toEqual(
    pick({ kind: 'zipfian', ...steep }, rows, 5000).map((rank) => 7 + newest - rank),
  )
})
