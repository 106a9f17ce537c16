import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { identify } from '../../src/advise/candidate.ts'
import { type Option } from '../../src/advise/choose.ts'
import { proposeNew } from '../../src/advise/count-candidates.ts'
import { listFields, toAsking } from '../../src/advise/demands.ts'
import { type BsonDocument } from '../../src/language/values/bson-types.ts'
import { createGrouping } from '../../src/sources/init/profile/call-groups.ts'
import { profileOf } from '../fakes/fake-collection-profile.ts'
import { makeOrder } from './calls-of-a-shop.ts'

/** Fields of the documents, without `_id`, which is no name to change. */
const names = ['customer', 'city', 'flag', 'status', 'at', 'total', 'tags', 'missing']

const field = fc.constantFrom(...names)
const condition = fc.constantFrom<unknown>(1, 'open', { $gt: 1 }, { $in: ['c1', 'c2'] }, { $ne: 5 }, null, /^c/, /c/)
const fieldsIn = (most: number) => fc.dictionary(field, condition, { maxKeys: most, noNullPrototype: true })
const order = fc.dictionary(field, fc.constantFrom(1, -1), { maxKeys: 2, noNullPrototype: true })
const filter = fc.oneof(
  { weight: 3, arbitrary: fieldsIn(3) },
  fc
    .tuple(fieldsIn(1), fieldsIn(1), fieldsIn(2))
    .map(([beside, ...$or]): BsonDocument => Object.assign({ $or }, beside)),
)

/** A call to a collection, as a profile has it. */
type Call = { readonly ns: string; readonly op: string; readonly command: BsonDocument }

const callTo = (collection: string): fc.Arbitrary<Call> =>
  fc
    .oneof(
      fc.record({ find: fc.constant(collection), filter, sort: order }),
      fc.record({ distinct: fc.constant(collection), key: field, query: filter }),
      fc.tuple(filter, order, field).map(([$match, $sort, name]) => ({
        aggregate: collection,
        pipeline: [{ $match }, { $sort }, { $group: { _id: `$${name}` } }],
      })),
    )
    .map((command) => ({ ns: `shop.${collection}`, op: 'command', command }))

// A candidate of each call: far fewer than a collection may have.
const calls = fc.array(callTo('orders'), { minLength: 1, maxLength: 3 })

/** Reads calls as `advise` does. */
function readCalls(given: readonly Call[]) {
  const grouping = createGrouping('shop')
  for (const call of given) grouping.add(call)
  return grouping.result().groups.map(toAsking)
}

const documents = Array.from({ length: 60 }, (_, i) => makeOrder(i))
const profile = profileOf(documents)

/** The candidates for calls to a collection of these documents. */
function proposeOptions(given: readonly Call[], of = profile): readonly Option[] {
  const shapes = readCalls(given).filter(({ demands }) => demands.some(({ collection }) => collection === 'orders'))
  return proposeNew({ profile: of, shapes, groups: [], values: 'known', accepted: [] }, []).options
}

/** Their texts, in no order. */
const findCandidates = (given: readonly Call[]): readonly string[] =>
  proposeOptions(given)
    .map((option) => formatOption(option))
    .toSorted()

const formatOption = (option: Option): string => option.map(identify).toSorted().join(' and ')

test('candidates do not depend on the order of the calls', () => {
  fc.assert(
    fc.property(
      calls.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))),
      ([given, shuffled]) => {
        expect(findCandidates(shuffled)).toEqual(findCandidates(given))
      },
    ),
  )
})

/** Gives each name another one: the text of what has them is read again. */
const rename = <Value>(value: Value, to: ReadonlyMap<string, string>): Value =>
  mapNames(value, (name) => to.get(name) ?? name) as Value

function mapNames(value: unknown, change: (name: string) => string): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${change(value.slice(1))}` : value
  if (Array.isArray(value)) return value.map((one) => mapNames(one, change))
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof RegExp) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      change(name),
      name === 'key' && typeof inner === 'string' ? change(inner) : mapNames(inner, change),
    ]),
  )
}

test('candidates do not depend on the names of fields', () => {
  const others = fc.uniqueArray(fc.stringMatching(/^[A-Z][a-z]{0,4}$/), {
    minLength: names.length,
    maxLength: names.length,
  })
  fc.assert(
    fc.property(calls, others, (given, renamed) => {
      const to = new Map(names.map((name, i) => [name, renamed[i] ?? name]))
      const back = new Map([...to].map(([name, other]) => [other, name]))
      const found = proposeOptions(rename(given, to), profileOf(rename(documents, to)))
      const inOldNames = found.map((option) =>
        formatOption(
          option.map((one) => ({
            ...one,
            key: one.key.map(([name, direction]) => [back.get(name) ?? name, direction] as const),
            options: rename(one.options, back),
          })),
        ),
      )
      expect(inOldNames.toSorted()).toEqual(findCandidates(given))
    }),
  )
})

test('no candidate has a field that no call names', () => {
  fc.assert(
    fc.property(calls, (given) => {
      const named = new Set(readCalls(given).flatMap(({ demands }) => demands.flatMap((one) => [...listFields(one)])))
      const used = proposeOptions(given).flatMap((option) =>
        option.flatMap(({ key, options: { partialFilterExpression = {} } }) => [
          ...key.map(([name]) => name),
          ...Object.keys(partialFilterExpression),
        ]),
      )
      expect(used.filter((name) => !named.has(name))).toEqual([])
    }),
  )
})

test('calls to another collection change nothing', () => {
  fc.assert(
    fc.property(calls, fc.array(callTo('items'), { maxLength: 3 }), (given, others) => {
      expect(findCandidates([...others, ...given])).toEqual(findCandidates(given))
    }),
  )
})

test('calls of which all ask for the same rare value get a partial index, whatever their order', () => {
  const open = Array.from({ length: 20 }, (_, i) => ({
    ns: 'shop.orders',
    op: 'command',
    command: { find: 'orders', filter: { status: 'open', city: `c${i}` } },
  }))
  const found = findCandidates(open)
  expect(found.join()).toContain('{"partialFilterExpression":{"status":"open"}}')
  expect(findCandidates(open.toReversed())).toEqual(found)
  expect(findCandidates(open.slice(1)).join()).not.toContain('partialFilterExpression')
})
