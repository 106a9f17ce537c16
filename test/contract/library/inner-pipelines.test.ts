import { type Document, MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { run } from '../../../src/entries/index.ts'
import { measure, verify } from '../../../src/entries/testing.ts'
import { missedThresholds } from '../../../src/metrics/thresholds.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const third = { $match: { g: 3 } }
const join = (from: string) => ({ $lookup: { from, localField: 'g', foreignField: 'g', as: 'joined' } })
/** The slot-based engine does not make it. */
const joinByPipeline = (from: string, ...stages: readonly Document[]) => ({
  $lookup: {
    from,
    let: { g: '$g' },
    pipeline: [{ $match: { $expr: { $eq: ['$g', '$$g'] } } }, ...stages],
    as: 'joined',
  },
})
const union = (coll: string, ...pipeline: readonly Document[]) => ({ $unionWith: { coll, pipeline } })
const graph = {
  $graphLookup: { from: 'b', startWith: '$g', connectFromField: '_id', connectToField: 'g', as: 'x', maxDepth: 0 },
}

/** Of 1000 documents with an index and of 500 without one, each tenth is a third. */
const cases: Readonly<
  Record<string, readonly [pipeline: readonly Document[], usesIndex: boolean | null, docsExamined: number | string]>
> = {
  union: [[third, union('b', third)], false, 600],
  unionByIndex: [[third, union('a', third)], true, 200],
  facet: [[third, { $facet: { one: [{ $limit: 5 }, join('b')], two: [{ $count: 'n' }] } }], false, 2600],
  facetOfUnion: [[third, { $facet: { one: [{ $limit: 5 }, union('b', third)] } }], false, 600],
  join: [[third, join('b')], false, 600],
  joinByIndex: [[third, { $limit: 2 }, join('a')], true, 202],
  joinOfJoin: [[third, { $limit: 5 }, joinByPipeline('b', { $limit: 2 }, join('b'))], false, 5075],
  joinOfUnion: [[third, { $limit: 2 }, joinByPipeline('a', union('b', third))], false, 1202],
  unreadUnion: [[third, union('b', third), { $limit: 5 }], true, 100],
  unionToItsMiddle: [[third, union('b', third), { $limit: 120 }], false, 'may end before $unionWith'],
  unionOfUnion: [[third, union('b', third, union('b', third))], false, 'a query inside of the pipeline'],
  unionOfJoin: [[third, union('b', third, joinByPipeline('b'))], false, '$lookup inside of $unionWith'],
  graph: [[third, graph], null, '$graphLookup'],
  joinOfGraph: [[third, joinByPipeline('a', { $limit: 1 }, graph)], null, '$graphLookup'],
  facetOfGraph: [[third, { $facet: { one: [graph] } }], null, '$graphLookup'],
}

test('documents that pipelines inside of a pipeline examine are counted as the profile counts them, or not known with the reason', async () => {
  const names = Object.keys(cases)
  const document = { _id: { '@row': {} }, g: { '@mod': [{ '@row': {} }, 10] } }
  const spec = {
    name: 'inner',
    data: [
      { collection: 'a', rows: 1000, document, indexes: [{ key: { g: 1 } }] },
      { collection: 'b', rows: 500, document },
    ],
    phases: [
      {
        name: 'read',
        stopAfter: { operations: 2 * names.length },
        operations: Object.entries(cases).map(([name, [pipeline]]) => ({
          kind: 'aggregate',
          name,
          collection: 'a',
          pipeline,
        })),
      },
    ],
    thresholds: names.flatMap((name) => [`${name}.usesIndex == 1`, `${name}.docsExamined <= 10000`]),
  }
  const result = await run(spec as never, { uri: server.uri })
  const operations = result.variants[0]?.phases[0]?.operations ?? []
  const expected = Object.entries(cases).map(([name, [, usesIndex, docs]]) => ({ name, usesIndex, docs }))
  const reasons = expected.flatMap(({ docs }) => (typeof docs === 'string' ? docs : []))
  const found = operations.map(({ name, explain }) => ({
    name,
    usesIndex: explain?.usesIndex ?? null,
    docs: explain?.docsExamined ?? reasons.find((reason) => explain?.reason?.includes(reason)),
  }))
  expect(found).toEqual(expected)
  const missed = expected.flatMap(({ name, usesIndex, docs }) => [
    usesIndex === true ? [] : `${name}.usesIndex == 1`,
    typeof docs === 'string' ? `${name}.docsExamined <= 10000` : [],
  ])
  expect(missedThresholds(result).map(({ threshold }) => threshold)).toEqual(missed.flat())
  const db = server.client.db('mongoperf_inner')
  const counted = Object.entries(cases).filter(([, [, , docs]]) => typeof docs === 'number')
  const profiled: unknown[] = []
  await db.command({ profile: 2 })
  for (const [comment, [pipeline]] of counted) {
    await db
      .collection('a')
      .aggregate([...pipeline], { comment, batchSize: 1000 })
      .toArray()
    const entry = await db.collection('system.profile').findOne({ 'command.comment': comment })
    profiled.push([comment, entry?.['docsExamined']])
  }
  await db.command({ profile: 0 })
  expect(profiled).toEqual(counted.map(([name, [, , docs]]) => [name, docs]))

  await using client = new MongoClient(server.uri, { monitorCommands: true })
  const orders = client.db(db.databaseName).collection('a')
  const inSuite = (name: string) =>
    measure(() => orders.aggregate([...(cases[name]?.[0] ?? [])]).toArray(), {
      on: client,
      depth: 'off',
      name,
    })
  const scanning = await inSuite('union')
  expect(scanning.work).toMatchObject({ docsExamined: 600, docsReturned: 150 })
  expect(() => verify(scanning).toUseIndex()).toSay('inner-index-unused')
  expect(() => verify(scanning).toExamineAtMost(1)).toSay('inner-examined-more')
  verify(await inSuite('unionByIndex')).toUseIndex('g_1')
  const unknown = await inSuite('graph')
  expect(unknown.work).toMatchObject({ docsExamined: null, keysExamined: null })
  expect(() => verify(unknown).toUseIndex()).toSay('inner-index-unknown')
  expect(() => verify(unknown).toExamineAtMost(1000)).toSay('inner-examined-unknown')
})
