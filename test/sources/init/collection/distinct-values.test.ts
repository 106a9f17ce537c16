import { expect, test } from 'vitest'
import { countFitting } from '../../../../src/sources/init/collection/distinct-values.ts'

const mega = 1e6

test.each([
  ['as many as the collection has', { documents: 300_000, meanBytes: 100 }, 60, Infinity, 300_000],
  ['as many small ones as are loaded in time', { documents: 9 * mega, meanBytes: 100 }, 60, Infinity, 800_000],
  ['fewer in half of the time', { documents: 9 * mega, meanBytes: 100 }, 30, Infinity, 400_000],
  ['as many large ones as are loaded in time', { documents: 9 * mega, meanBytes: 13_000 }, 60, Infinity, 10_000],
  ['as many as fill half of the disk twice', { documents: 9 * mega, meanBytes: 1000 }, 60, 40 * mega, 10_000],
  ['one where nothing fits', { documents: 9 * mega, meanBytes: 1000 }, 60, 0, 1],
  ['one of an empty collection', { documents: 0, meanBytes: 0 }, 60, Infinity, 1],
])('%s', (_, collection, budgetSeconds, freeBytes, fitting) => {
  expect(countFitting(collection, { budgetSeconds, freeBytes })).toBe(fitting)
})
