import { type AdvisedIndex, type AdvisedShape } from '../../src/advise/advise-on-collection.ts'
import { type ShownAdvice } from '../../src/advise/answer.ts'
import { nameShape } from '../../src/advise/name-shape.ts'
import { type BsonDocument } from '../../src/language/values/bson-types.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { type ComparedFigure } from '../../src/report/comparison/comparison.ts'
import { createGrouping } from '../../src/sources/init/profile/call-groups.ts'
import { around, resultWith } from './compared-results.ts'
import { fail } from './fail.ts'
import { foundIndex, profileOf } from './fake-collection-profile.ts'

/** A figure of eight runs on each side. */
function figureOf(ratio: number): ComparedFigure {
  const [a, b] = [around(1000), around(1000 * ratio).toReversed()].map((rates) => resultWith({ '': rates }))
  if (a === undefined || b === undefined) return fail('There are two sides')
  return (
    compareResults(a, b, { differences: [] }).figures.find(({ better }) => better === 'higher') ??
    fail('Nothing was compared')
  )
}

function shapeOf(collection: string, command: BsonDocument, work: { calls: number; today: number; advised: number }) {
  const { calls, today, advised } = work
  const grouping = createGrouping('shop')
  for (let i = 0; i < calls; i++) grouping.add({ ns: `shop.${collection}`, op: 'query', command })
  const [group = fail('There is no call')] = grouping.result().groups
  return { name: nameShape(group.call), group, today, advised } satisfies AdvisedShape
}

const indexOf = (
  collection: string,
  key: AdvisedIndex['key'],
  megabytes: number,
  options: AdvisedIndex['options'] = {},
): AdvisedIndex => ({ collection, key, interchangeable: 1, share: 1, options, name: 'candidate_0', megabytes })

const ofCustomer = shapeOf(
  'orders',
  { find: 'orders', filter: { customer: 1 }, sort: { at: -1 } },
  { calls: 900, today: 3600, advised: 40 },
)
const openOrders = shapeOf(
  'orders',
  { find: 'orders', filter: { status: 'open' }, sort: { at: 1 } },
  { calls: 124, today: 126_000, advised: 12_000.5 },
)
const byTag = shapeOf('items', { find: 'items', filter: { 'tags.name': 'x' } }, { calls: 60, today: 8000, advised: 22 })

/** Advice for two collections of a shop: a partial index and another one to create, one to drop, and what was measured. */
export const exampleAdvice = (): ShownAdvice => ({
  database: 'shop',
  file: 'shop.mprec',
  calls: 31_250,
  seconds: 1240,
  values: 'known',
  collections: [
    {
      profile: profileOf([], { collection: 'orders', documents: 120_000, indexes: [foundIndex({ customer: 1 })] }),
      writes: 300,
      create: [
        indexOf('orders', [['at', 1]], 0.0234, { partialFilterExpression: { status: 'open' } }),
        indexOf(
          'orders',
          [
            ['customer', 1],
            ['at', -1],
          ],
          2.44,
        ),
      ],
      drop: [
        { name: 'customer_1', because: '{ customer: 1, at: -1 } begins with it, and no call examines more without it' },
      ],
      shapes: [
        ofCustomer,
        openOrders,
        shapeOf('orders', { find: 'orders', filter: { _id: 1 } }, { calls: 500, today: 2, advised: 2 }),
      ],
      today: 18_865_000,
      advised: 1_525_062,
      notes: ['find {note}: an unanchored expression reads every key of {note}.'],
    },
    {
      profile: profileOf([], { collection: 'items', documents: 8000 }),
      writes: 0,
      create: [indexOf('items', [['tags.name', 1]], 0.32)],
      drop: [],
      shapes: [byTag],
      today: 480_000,
      advised: 1320,
      notes: [],
    },
  ],
  missing: ['carts'],
  measured: {
    p50: new Map([
      [ofCustomer.group, figureOf(0.11)],
      [openOrders.group, figureOf(0.62)],
      [byTag.group, figureOf(0.04)],
    ]),
    cpu: figureOf(0.083),
    writes: new Map([['orders', figureOf(1.06)]]),
    limits: [],
    notes: ['find {customer} was not measured: it has no values to draw.'],
  },
})
