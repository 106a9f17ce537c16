import { array, integer, nat } from 'fast-check'
import { expect, test } from 'vitest'
import { RecentMap } from '../../src/core/recent-map.ts'
import { forAll } from '../fakes/for-all.ts'

test('of a map that forgets, the last entries are there, and at most twice as many', () =>
  forAll(array(nat(20), { minLength: 1, maxLength: 100 }), integer({ min: 1, max: 5 }), (keys, minKept) => {
    const map = new RecentMap<number, number>(minKept)
    expect(map.isEmpty).toBe(true)
    /** In the order in which they were set last. */
    const all = new Map<number, number>()
    for (const [value, key] of keys.entries()) {
      map.set(key, value)
      all.delete(key)
      all.set(key, value)
      expect(map.get(key)).toBe(value)
    }
    const kept = [...all].filter(([key, value]) => map.get(key) === value).map(([key]) => key)
    expect(kept).toEqual(expect.arrayContaining([...all.keys()].slice(-minKept)))
    expect(kept.length).toBeLessThanOrEqual(2 * minKept)
    for (const key of all.keys()) map.delete(key)
    expect(map.isEmpty).toBe(true)
  }))
