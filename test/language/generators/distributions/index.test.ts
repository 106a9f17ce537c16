import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../../bench/values.ts'
import { type Json } from '../../../../src/core/json.ts'
import { placeKey, Stream } from '../../../../src/core/random.ts'
import { createDistributionPicker, distributions } from '../../../../src/language/generators/distributions/index.ts'
import { createDrawContext } from '../../../../src/language/values/draw-context.ts'
import { forAll } from '../../../fakes/for-all.ts'
import { deviationsFrom, pick } from './draws.ts'

const picker = (kind: string, count: number) => createDistributionPicker({ kind }, count, new Stream(placeKey(1, kind)))

describe.each(distributions)('$kind', ({ kind }) => {
  test('stays inside of any number of rows, for any call and any element of a list', () =>
    forAll(fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.nat(2 ** 40), fc.nat(2 ** 32 - 1), (count, n, lane) => {
      const row = picker(kind, count)({ ...createDrawContext(), n, lane })
      expect(Number.isInteger(row) && row >= 0 && row < count).toBe(true)
    }))

  test('begins at the first row', () => expect(new Set(pick(kind, 3, 200, 1000))).toEqual(new Set([1000, 1001, 1002])))

  test('reaches every one of a few rows', () => expect(new Set(pick(kind, 10, 2000)).size).toBe(10))

  test('goes beyond what fits an int32 among 2^40 rows', () => {
    const drawn = pick(kind, 2 ** 40, 2000, 1)
    expect(drawn.every((row) => row >= 1 && row <= 2 ** 40)).toBe(true)
    expect(kind === 'sequential' ? 2 ** 32 : Math.max(...drawn)).toBeGreaterThan(2 ** 31)
  })

  test('is the same by its word and by an object that gives nothing else', () => {
    expect(pick({ kind }, 1000, 100)).toEqual(pick(kind, 1000, 100))
    expect(pick({ kind, exponent: null }, 1000, 100)).toEqual(pick(kind, 1000, 100))
  })
})

test('sequential goes through the rows one by one, and begins again at the end', () => {
  expect(pick('sequential', 3, 7)).toEqual([0, 1, 2, 0, 1, 2, 0])
  expect(pick('sequential', 3, 4, 10)).toEqual([10, 11, 12, 10])
})

test('reverse goes through them from the last', () => expect(pick('reverse', 3, 7)).toEqual([2, 1, 0, 2, 1, 0, 2]))

test('uniform picks each row equally often', () => {
  const even = Array.from({ length: 1000 }, () => 1 / 1000)
  expect(deviationsFrom(even, pick('uniform', 1000, 200_000))).toBeLessThan(5)
})

test('a key is drawn with the same arguments', () => {
  const distribution = { kind: 'hotspot', hotSet: 0.003, hotTraffic: 1 }
  const keys = compileJson({ '@key': { distribution, count: 1000 } }).first(200)
  expect(new Set(keys)).toEqual(new Set([0, 1, 2]))
})

test.each<[Json, string]>([
  ['zipfain', 'distribution-word-misspelt'],
  ['lognormal', 'distribution-word-unknown'],
  [5, 'distribution-number'],
  [{}, 'distribution-without-kind'],
  [{ kind: 'zipfain' }, 'distribution-kind-unknown'],
  [{ kind: 'uniform', exponent: 0.5 }, 'distribution-key-of-another'],
  [{ kind: 'hotspot', hotset: 0.5 }, 'distribution-key-misspelt'],
  [{ kind: 'hotspot', hotSet: 0 }, 'distribution-not-above'],
  [{ kind: 'hotspot', hotTraffic: 1.5 }, 'distribution-too-large'],
  [{ kind: 'zipfian', exponent: 1 }, 'distribution-exponent-too-large'],
  [{ kind: 'latest', exponent: 0 }, 'distribution-exponent-zero'],
  [{ kind: 'gaussian', sigma: 0 }, 'distribution-deviation-zero'],
  [{ kind: 'gaussian', mean: -0.1 }, 'distribution-mean-negative'],
])('refuses %j', (distribution, code) => expect(() => pick(distribution, 10, 1)).toSay(code))
