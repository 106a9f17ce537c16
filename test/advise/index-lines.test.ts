import { expect, test } from 'vitest'
import { type CollectionAdvice } from '../../src/advise/advise-on-collection.ts'
import { describeIndexes, keepMissed } from '../../src/advise/index-lines.ts'
import { countNew, nothingAccepted, sayAccepted } from '../../src/advise/read-advice.ts'
import { exampleAdvice, figureOf } from '../fakes/example-advice.ts'
import { fail } from '../fakes/fail.ts'

const advice = exampleAdvice()
const [orders = fail('It has two collections')] = advice.collections
const measured = advice.measured ?? fail('It was measured')
const ofCustomer = orders.shapes.find(({ name }) => name === 'find {customer}') ?? fail('A read could use the index')

const withP50 = (ratio: number) => ({ ...measured, p50: new Map([[ofCustomer.group, figureOf(ratio)]]) })
const lineOfDrop = (
  shown: Omit<Parameters<typeof describeIndexes>[1], 'data'>,
  of: CollectionAdvice = orders,
): string => describeIndexes(of, { ...shown, data: 'dump' }).find((line) => line.startsWith('drop')) ?? 'none'

test('an index to drop says how small a slowdown of the reads that could use it would have shown', () => {
  const line = lineOfDrop({ measured: withP50(1.001), accepted: nothingAccepted })
  expect(line).toContain('whether reads are slower without it: no difference found (one above 2 % would have shown)')
  expect(lineOfDrop({ measured: undefined, accepted: nothingAccepted })).not.toContain('would have shown')
})

test('an index without which a read is slower stays', () => {
  const kept = keepMissed(advice, withP50(1.2)).collections[0] ?? fail('It has two collections')
  expect(kept.drop).toEqual([])
  expect(describeIndexes(kept, { measured, accepted: nothingAccepted, data: 'dump' })).toContainEqual(
    expect.stringMatching(
      /^keep \{ customer: 1 \}: without it, the p50 of find \{customer\} was measured as 120 % \(1\d\d % to 1\d\d %\) of today's$/,
    ),
  )
  expect(keepMissed(advice, withP50(0.5)).collections[0]?.drop).toEqual(orders.drop)
})

test('an index has what it alone was measured to bring, and one that shows no gain says what decides', () => {
  const lines = advice.collections.flatMap((one) =>
    describeIndexes(one, { measured, accepted: nothingAccepted, data: 'dump' }).filter((line) =>
      line.startsWith('create'),
    ),
  )
  expect(lines.map((line) => line.replace(/^.*; measured: /, ''))).toEqual([
    expect.stringMatching(/^it cuts the server's CPU for the reads that it helps to 62 % \(.+\)$/),
    expect.stringMatching(/ to 1\/9\.1 \(.+\)$/),
    expect.stringMatching(/ shows no gain, 100 % \(.+\): the same within 2 %; the counts decide$/),
  ])
})

test('an earlier advice is told from what it lacks', () => {
  const [first = fail('It creates some'), second = fail('It creates two')] = orders.create
  const accepted = { file: 'old.json', create: [second], drop: [['orders', 'customer_1']] } as const
  expect(countNew(advice.collections, nothingAccepted)).toEqual({ create: 3, drop: 1 })
  expect(countNew(advice.collections, accepted)).toEqual({ create: 2, drop: 0 })
  expect(sayAccepted(advice.collections, nothingAccepted)).toBe('')
  expect(sayAccepted(advice.collections, accepted)).toBe(
    'old.json creates 1: 1 worth it. This traffic needs 2 that are not in it.',
  )
  const lines = describeIndexes(orders, { measured, accepted, data: 'dump' })
  expect(lines.filter((line) => line.includes('(as in old.json)')).map((line) => line.slice(0, 10))).toEqual([
    'create { c',
    'drop { cus',
  ])
  const rejected = orders.notWorth.concat(Object.assign({}, first, { collection: 'others' }))
  expect(sayAccepted([{ ...orders, create: [] }], { ...accepted, create: rejected })).toBe(
    'old.json creates 2: 0 worth it, 1 not, 1 that the data have already, or that the notes name. This traffic needs no other.',
  )
})
