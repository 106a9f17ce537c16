import { type AdvisedIndex, type AdvisedShape } from '../../src/advise/advise-on-collection.ts'
import { type ShownAdvice } from '../../src/advise/answer.ts'
import { toAsking } from '../../src/advise/demands.ts'
import { toCandidate } from '../../src/advise/idle-indexes.ts'
import { nothingAccepted } from '../../src/advise/read-advice.ts'
import { type BsonDocument } from '../../src/language/values/bson-types.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { type ComparedFigure } from '../../src/report/comparison/comparison.ts'
import { createGrouping } from '../../src/sources/init/profile/call-groups.ts'
import { around, resultWith } from './compared-results.ts'
import { fail } from './fail.ts'
import { foundIndex, profileOf } from './fake-collection-profile.ts'

/** A metric of eight runs on each side, of which less is better. */
export function figureOf(ratio: number): ComparedFigure {
  const [a, b] = [around(1000), around(1000 * ratio).toReversed()].map((rates) => resultWith({ '': rates }))
  if (a === undefined || b === undefined) return fail('There are two sides')
  const { verdict, ...figure } =
    compareResults(a, b, { differences: [] }).figures.find(({ better }) => better === 'higher') ??
    fail('Nothing was compared')
  const effect = ratio < 1 ? 'better' : 'worse'
  return { ...figure, better: 'lower', verdict: 'effect' in verdict ? Object.assign(verdict, { effect }) : verdict }
}

function shapeOf(collection: string, command: BsonDocument, work: { calls: number; today: number; advised: number }) {
  const { calls, today, advised } = work
  const grouping = createGrouping('shop')
  for (let i = 0; i < calls; i++) grouping.add({ ns: `shop.${collection}`, op: 'query', command })
  const [group = fail('There is no call')] = grouping.result().groups
  return { ...toAsking(group), today, advised } satisfies AdvisedShape
}

const indexOf = (
  collection: string,
  key: AdvisedIndex['key'],
  worth: Pick<AdvisedIndex, 'megabytes' | 'saves' | 'costs'>,
  options: AdvisedIndex['options'] = {},
): AdvisedIndex => ({
  collection,
  key,
  interchangeable: 1,
  share: 1,
  options,
  name: 'candidate_0',
  helped: new Set(),
  ...worth,
})

/** An index of today, as it is judged. */
const judge = (collection: string, index: ReturnType<typeof foundIndex>, because: string) => ({
  name: index.name,
  index: toCandidate(collection, index),
  because,
})

const ofCustomer = shapeOf(
  'orders',
  { find: 'orders', filter: { customer: 1 }, sort: { at: -1 } },
  { calls: 900, today: 3600, advised: 40 },
)
const allOfCustomer = shapeOf(
  'orders',
  { find: 'orders', filter: { customer: 1 } },
  { calls: 90, today: 40, advised: 40 },
)
const openOrders = shapeOf(
  'orders',
  { find: 'orders', filter: { status: 'open' }, sort: { at: 1 } },
  { calls: 124, today: 126_000, advised: 12_000.5 },
)
const byTag = shapeOf('items', { find: 'items', filter: { 'tags.name': 'x' } }, { calls: 60, today: 8000, advised: 22 })

const ofOpen = indexOf(
  'orders',
  [['at', 1]],
  { megabytes: 0.0234, saves: 14_136_000, costs: 1500 },
  { partialFilterExpression: { status: 'open' } },
)
const ofCustomers = indexOf(
  'orders',
  [
    ['customer', 1],
    ['at', -1],
  ],
  { megabytes: 2.44, saves: 3_204_000, costs: 1500 },
)
const ofTags = indexOf('items', [['tags.name', 1]], { megabytes: 0.32, saves: 478_680, costs: 0 })

/** Advice for two collections of a shop: a partial index and another one to create, one to drop, and what was measured. */
export const exampleAdvice = (): ShownAdvice => ({
  database: 'shop',
  source: 'shop.mprec',
  text: 'the 31,250 operations of shop.mprec in 1240 s',
  data: 'dump',
  calls: 31_250,
  seconds: 1240,
  values: 'known',
  collections: [
    {
      profile: profileOf([], { collection: 'orders', documents: 120_000 }),
      writes: 300,
      create: [ofOpen, ofCustomers],
      drop: [
        {
          ...judge(
            'orders',
            foundIndex({ customer: 1 }),
            '{ customer: 1, at: -1 } begins with it, and no operation does more work without it',
          ),
          megabytes: 1.2,
          costs: 1500,
        },
      ],
      keep: [judge('orders', foundIndex({ number: 1 }), 'it keeps values unique')],
      notWorth: [indexOf('orders', [['city', 1]], { megabytes: 0.9, saves: 60_000, costs: 1500 })],
      shapes: [
        ofCustomer,
        allOfCustomer,
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
      create: [ofTags],
      drop: [],
      keep: [],
      notWorth: [],
      shapes: [byTag],
      today: 480_000,
      advised: 1320,
      notes: [],
    },
  ],
  accepted: nothingAccepted,
  missing: ['carts'],
  megabytes: { data: 46.3, cache: 1024 },
  measured: {
    p50: new Map([
      [ofCustomer.group, figureOf(0.11)],
      [allOfCustomer.group, figureOf(1.001)],
      [openOrders.group, figureOf(0.62)],
      [byTag.group, figureOf(0.04)],
    ]),
    cpu: figureOf(0.083),
    alone: new Map([
      [ofOpen, figureOf(0.62)],
      [ofCustomers, figureOf(0.11)],
      [ofTags, figureOf(1.001)],
    ]),
    writes: new Map([['orders', figureOf(1.06)]]),
    limits: [],
    notes: ['find {number} was not measured: it has no values to draw.'],
  },
})
