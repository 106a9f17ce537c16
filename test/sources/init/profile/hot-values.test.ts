import { Long, ObjectId } from 'bson'
import { describe, expect, test } from 'vitest'
import { placeKey, Stream } from '../../../../src/core/random.ts'
import { HotValues } from '../../../../src/sources/init/profile/hot-values.ts'

const documents = 10_000
const rng = new Stream(placeKey(38, 'hot')).at(0)
const even = (): number => rng.below(documents)
/** 70 of 100 draws are among the first 100. */
const hot = (): number => (rng.below(10) < 7 ? rng.below(100) : even())

function found(calls: number, filter: () => object, of = documents) {
  const values = new HotValues()
  for (let i = 0; i < calls; i++) values.add({ filter: filter() as never })
  return values.distribution(of)
}

describe('values of calls', () => {
  test.each<readonly [what: string, filter: () => object]>([
    ['the _id', () => ({ _id: hot() })],
    ['a field', () => ({ customer: Long.fromNumber(hot()), at: { $gt: new Date(even()) } })],
    ['a field after $eq', () => ({ customer: { $eq: `customer ${hot()}` } })],
  ])('that are few are found: %s', (_, filter) => {
    const { kind, hotSet, hotTraffic } = found(20_000, filter) ?? {}
    expect(kind).toBe('hotspot')
    // Half of the calls ask for 50/70 of them.
    expect(hotSet).toBeGreaterThan(0.005)
    expect(hotSet).toBeLessThan(0.009)
    expect(hotTraffic).toBeGreaterThan(0.42)
    expect(hotTraffic).toBeLessThan(0.55)
  })

  test('that all calls have are one of the documents', () => {
    expect(found(1000, () => ({ _id: 'settings' }))).toEqual({ kind: 'hotspot', hotSet: 0.0001, hotTraffic: 1 })
  })

  test.each<readonly [what: string, calls: number, filter: () => object, of: number]>([
    ['are even', 20_000, () => ({ _id: even() }), documents],
    ['are even, of few documents', 20_000, () => ({ _id: rng.below(50) }), 50],
    ['are all different', 1000, () => ({ _id: new ObjectId() }), documents],
    ['come from few calls', 190, () => ({ _id: 'settings' }), documents],
    ['are of ranges', 1000, () => ({ at: { $gt: 5 } }), documents],
    ['are lists', 1000, () => ({ _id: { $in: [1, 2] } }), documents],
  ])('that %s show no hot ones', (_, calls, filter, of) => {
    expect(found(calls, filter, of)).toBeUndefined()
  })

  test('that come several times at once and then no more are no hot ones', () => {
    let call = 0
    expect(found(20_000, () => ({ _id: Math.floor(call++ / 10) }))).toBeUndefined()
  })
})
