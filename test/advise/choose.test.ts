import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Candidate, formatKey, type IndexKey } from '../../src/advise/candidate.ts'
import { choose, computeWork, type Counted, type CountedShape, type Option } from '../../src/advise/choose.ts'

const candidate = (...names: readonly string[]): Candidate => ({
  collection: 'orders',
  key: names.map((name) => [name, 1] as const) satisfies IndexKey,
  interchangeable: 0,
  share: 1,
  options: {},
})

const [a, b, c, ab] = [candidate('a'), candidate('b'), candidate('c'), candidate('a', 'b')]
const [onlyA, onlyB, onlyC, onlyAb]: readonly [Option, Option, Option, Option] = [[a], [b], [c], [ab]]

const shape = (
  frequency: number,
  today: number,
  ...withOption: readonly (readonly [Option, number])[]
): CountedShape => ({
  frequency,
  today,
  withOption: new Map(withOption),
})

const count = (
  shapes: readonly CountedShape[],
  options: readonly Option[],
  cost: Counted['cost'] = () => 0,
): Counted => ({ shapes, options, cost })

const names = (chosen: readonly Candidate[]): readonly string[] => chosen.map(({ key }) => formatKey(key))
const limits = { most: 5, smallest: 0.01 }

test('work is that of the best option of each shape, as often as it comes, and of the writes', () => {
  const counted = count([shape(10, 100, [onlyA, 5], [onlyB, 20]), shape(1, 50, [onlyB, 1])], [], () => 7)
  expect(computeWork(counted, [])).toBe(1050)
  expect(computeWork(counted, [b])).toBe(200 + 1 + 7)
  expect(computeWork(counted, [a, b])).toBe(50 + 1 + 14)
})

test('an option of two indexes counts with both', () => {
  const counted = count([shape(1, 100, [[a, b], 2])], [])
  expect(computeWork(counted, [a])).toBe(100)
  expect(computeWork(counted, [a, b])).toBe(2)
})

test('an option that makes more work of a call does not count: the server leaves it', () => {
  expect(computeWork(count([shape(1, 100, [onlyA, 200])], []), [a])).toBe(100)
})

test('the index that saves most comes first, then the next beside it', () => {
  const counted = count([shape(1, 100, [onlyA, 10]), shape(10, 100, [onlyB, 10])], [onlyA, onlyB])
  expect(names(choose(counted, limits))).toEqual(['{ b: 1 }', '{ a: 1 }'])
})

test('there are no more indexes than --most', () => {
  const counted = count([shape(1, 100, [onlyA, 10]), shape(10, 100, [onlyB, 10])], [onlyA, onlyB])
  expect(names(choose(counted, { ...limits, most: 1 }))).toEqual(['{ b: 1 }'])
})

test('with --most 1, no option of two is chosen', () => {
  expect(choose(count([shape(1, 100, [[a, b], 2])], [onlyA, [a, b]]), { ...limits, most: 1 })).toEqual([])
})

test('an index that saves less than the smallest effect is not worth it', () => {
  const shapes = [shape(1, 1000, [onlyA, 10]), shape(1, 10, [onlyB, 1])]
  expect(names(choose(count(shapes, [onlyA, onlyB]), limits))).toEqual(['{ a: 1 }'])
  expect(names(choose(count(shapes, [onlyA, onlyB]), { ...limits, smallest: 0.001 }))).toEqual(['{ a: 1 }', '{ b: 1 }'])
})

test('an index that costs the writes more than it saves is not chosen', () => {
  const shapes = [shape(1, 100, [onlyA, 10], [onlyB, 20])]
  expect(
    names(
      choose(
        count(shapes, [onlyA, onlyB], () => 95),
        limits,
      ),
    ),
  ).toEqual([])
  expect(
    names(
      choose(
        count(shapes, [onlyA, onlyB], (one) => (one === a ? 95 : 5)),
        limits,
      ),
    ),
  ).toEqual(['{ b: 1 }'])
})

/** The longer one costs more, so that the first step takes the shorter one. */
const cost = (one: Candidate): number => (one === ab ? 300 : 0)

test('an index takes the place of the one that it extends', () => {
  const shapes = [shape(100, 100, [onlyA, 1], [onlyAb, 1]), shape(1, 1000, [onlyA, 500], [onlyAb, 1])]
  expect(names(choose(count(shapes, [onlyA], cost), limits))).toEqual(['{ a: 1 }'])
  expect(names(choose(count(shapes, [onlyA, onlyAb], cost), limits))).toEqual(['{ a: 1, b: 1 }'])
})

test('an index that two others make idle leaves', () => {
  // c helps both shapes by half, and each other index one of them wholly.
  const shapes = [shape(10, 100, [onlyC, 40], [onlyA, 1]), shape(10, 100, [onlyC, 40], [onlyB, 1])]
  expect(names(choose(count(shapes, [onlyA, onlyB, onlyC]), limits))).toEqual(['{ a: 1 }', '{ b: 1 }'])
})

test('with --most 1, a better index takes the place of one that is there', () => {
  const shapes = [shape(10, 100, [onlyA, 1]), shape(9, 100, [onlyB, 1])]
  expect(names(choose(count(shapes, [onlyB, onlyA]), { ...limits, most: 1 }))).toEqual(['{ a: 1 }'])
})

test('both indexes of an $or are chosen together', () => {
  const counted = count([shape(1, 100, [[a, b], 2])], [onlyA, onlyB, [a, b]])
  expect(names(choose(counted, limits))).toEqual(['{ a: 1 }', '{ b: 1 }'])
})

test('no calls, or no options: no indexes', () => {
  expect(choose(count([], [onlyA]), limits)).toEqual([])
  expect(choose(count([shape(1, 100)], []), limits)).toEqual([])
})

test('a shape that no option helps changes nothing for the others', () => {
  const work = fc.nat({ max: 1000 })
  const shapes = fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: 20 }), work, work, work, work, work)
      .map(([frequency, today, ...[inA, inB, inC, inAb]]) =>
        shape(frequency, today, [onlyA, inA], [onlyB, inB], [onlyC, inC], [onlyAb, inAb]),
      ),
    { minLength: 1, maxLength: 4 },
  )
  const most = fc.integer({ min: 1, max: 3 })
  fc.assert(
    fc.property(shapes, most, work, fc.integer({ min: 1, max: 20 }), (given, limit, paid, frequency) => {
      const chooseFor = (all: readonly CountedShape[]) =>
        names(
          choose(
            count(all, [onlyA, onlyB, onlyC, onlyAb], () => paid),
            // A share of the work would grow with it.
            { most: limit, smallest: 0 },
          ),
        )
      expect(chooseFor([...given, shape(frequency, 500)])).toEqual(chooseFor(given))
    }),
  )
})
