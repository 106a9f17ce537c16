import { expect, test } from 'vitest'
import { directionOf, keptOf, verdictOn } from '../../../src/report/published/direction.ts'

const once = (value: number) => ({ value, runs: [value] })

test.each([
  [106, 100, 'higher'],
  [105, 100, 'same'],
  [100, 100, 'same'],
  [100, 105, 'same'],
  [100, 106, 'lower'],
  [0, 0, 'same'],
  [1, 0, 'higher'],
])('%d lies from %d: %s', (value, from, direction) => {
  expect(directionOf(once(value), once(from))).toBe(direction)
})

test('figures whose runs overlap are unclear, unless they are the same anyway', () => {
  const base = { value: 100, runs: [95, 100, 120] }
  expect(directionOf({ value: 130, runs: [119, 130, 140] }, base)).toBe('unclear')
  expect(directionOf({ value: 130, runs: [121, 130, 140] }, base)).toBe('higher')
  expect(directionOf({ value: 104, runs: [100, 104, 108] }, base)).toBe('same')
})

test.each([
  ['higher', 'higher', 'kept'],
  ['same', 'same', 'kept'],
  ['higher', 'lower', 'turned'],
  ['lower', 'same', 'flat here'],
  ['same', 'lower', 'not flat here'],
  ['higher', 'unclear', 'inconclusive'],
  ['same', 'unclear', 'inconclusive'],
] as const)('published %s and measured %s is "%s"', (published, measured, verdict) => {
  expect(verdictOn(published, measured)).toBe(verdict)
})

test('flat and inconclusive verdicts count as neither kept nor turned', () => {
  expect(keptOf(['kept', 'flat here', 'turned', 'kept', 'inconclusive', 'not flat here'])).toEqual({
    kept: 2,
    turned: 1,
    of: 6,
  })
})
