import { array, assert, integer, nat, option, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { RecentMap } from '../../src/core/recent-map.ts'

test('of a map that forgets, the last entries are there, and at most twice as many', () => {
  const changes = array(tuple(nat(20), option(nat(), { nil: undefined })), { maxLength: 100 })
  assert(
    property(changes, integer({ min: 1, max: 5 }), (given, minKept) => {
      const map = new RecentMap<number, number>(minKept)
      const all = new Map<number, number>()
      for (const [key, value] of given) {
        // Set again, an entry is a new one.
        all.delete(key)
        if (value === undefined) map.delete(key)
        else {
          map.set(key, value)
          all.set(key, value)
        }
        const kept = [...all].filter(([one, of]) => map.get(one) === of).map(([one]) => one)
        expect(kept).toEqual(expect.arrayContaining([...all.keys()].slice(-minKept)))
        expect(kept.length).toBeLessThanOrEqual(2 * minKept)
        expect(map.get(key)).toBe(value)
        expect(all.size > 0 || map.isEmpty).toBe(true)
      }
    }),
  )
})
