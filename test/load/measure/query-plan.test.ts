import { expect, test } from 'vitest'
import { readQueryPlan } from '../../../src/load/measure/query-plan.ts'

const ixscan = { stage: 'IXSCAN', keyPattern: { a: 1 }, indexName: 'a_1' }
const stats = (keys: number, docs: number, returned: number, works = 1) => ({
  executionSuccess: true,
  nReturned: returned,
  totalKeysExamined: keys,
  totalDocsExamined: docs,
  executionStages: { stage: 'COLLSCAN', works },
})
const query = (winningPlan: object, executionStats: object = stats(3, 2, 1)) => ({
  explainVersion: '1',
  queryPlanner: { namespace: 'a.b', winningPlan, rejectedPlans: [{ stage: 'COLLSCAN' }] },
  executionStats,
  ok: 1,
})
const figures = { keysExamined: 3, docsExamined: 2, docsReturned: 1 }

test.each([
  ['of the classic engine', { stage: 'FETCH', inputStage: ixscan }, 'IXSCAN a_1 → FETCH', ['a_1'], false],
  [
    'of the slot-based engine',
    { queryPlan: { stage: 'FETCH', planNodeId: 2, inputStage: ixscan }, slotBasedPlan: { stages: '[2] nlj' } },
    'IXSCAN a_1 → FETCH',
    ['a_1'],
    false,
  ],
  [
    'with several inputs',
    { stage: 'FETCH', inputStage: { stage: 'OR', inputStages: [ixscan, { ...ixscan, indexName: 'b_1' }] } },
    '(IXSCAN a_1 + IXSCAN b_1) → OR → FETCH',
    ['a_1', 'b_1'],
    false,
  ],
  ['by _id', { stage: 'IDHACK' }, 'IDHACK', ['_id_'], false],
  ['of an express path', { stage: 'EXPRESS_IXSCAN', indexName: '_id_' }, 'EXPRESS_IXSCAN _id_', ['_id_'], false],
  ['of a scan', { stage: 'LIMIT', inputStage: { stage: 'COLLSCAN' } }, 'COLLSCAN → LIMIT', [], true],
  ['of nothing', { stage: 'EOF' }, 'EOF', [], false],
  [
    'that joins by an index',
    { stage: 'EQ_LOOKUP', strategy: 'IndexedLoopJoin', indexName: 'c_1', inputStage: ixscan },
    'IXSCAN a_1 → EQ_LOOKUP IndexedLoopJoin c_1',
    ['c_1', 'a_1'],
    false,
  ],
  [
    'that joins by reading the other collection',
    { stage: 'EQ_LOOKUP', strategy: 'HashJoin', inputStage: ixscan },
    'IXSCAN a_1 → EQ_LOOKUP HashJoin',
    ['a_1'],
    true,
  ],
  [
    'of several shards',
    {
      stage: 'SHARD_MERGE',
      shards: [
        { shardName: 's0', winningPlan: ixscan },
        { shardName: 's1', winningPlan: { stage: 'COLLSCAN' } },
      ],
    },
    '(IXSCAN a_1 + COLLSCAN) → SHARD_MERGE',
    ['a_1'],
    true,
  ],
])('a plan %s is read', (_, winningPlan, text, indexes, scansCollection) =>
  expect(readQueryPlan(query(winningPlan))).toEqual({ text, indexes, scansCollection, figures }),
)

test('figures of a call that ran out of time are not known, its plan is', () => {
  const late = query(ixscan, { ...stats(3, 2, 1), executionSuccess: false, errorCode: 50, failed: true })
  expect(readQueryPlan(late)).toMatchObject({ text: 'IXSCAN a_1', figures: expect.stringContaining('in time') })
})

test('a pipeline adds up what its query and its joins look at, and returns what its last stage does', () => {
  const stages = [
    { $cursor: query({ stage: 'FETCH', inputStage: ixscan }, stats(10, 10, 10)), nReturned: 10 },
    { $group: { _id: '$a' }, nReturned: 4 },
    {
      $lookup: { from: 'c', as: 'x', localField: 'a', foreignField: 'a' },
      totalDocsExamined: 400,
      totalKeysExamined: 0,
      collectionScans: 4,
      indexesUsed: [],
      nReturned: 4,
    },
  ]
  const whole = {
    text: 'IXSCAN a_1 → FETCH → $group → $lookup COLLSCAN',
    indexes: ['a_1'],
    scansCollection: true,
    figures: { keysExamined: 10, docsExamined: 410, docsReturned: 4 },
  }
  expect(readQueryPlan({ explainVersion: '1', stages, ok: 1 })).toEqual(whole)
  // A shard counts what it reads for a join itself, and not what others do for it.
  const [cursor, group, lookup] = stages
  const shards = { s0: { host: 'a', stages }, s1: { host: 'b', stages: [cursor, group] } }
  expect(readQueryPlan({ mergeType: 'mongos', shards })).toMatchObject({
    scansCollection: true,
    figures: expect.stringContaining('$lookup'),
  })
  const grouped = { s0: { host: 'a', stages: [cursor, group] }, s1: { host: 'b', stages: [cursor, group] } }
  const counted = { keysExamined: 20, docsExamined: 20 }
  const mergeOf = (...mergerPart: readonly object[]) =>
    readQueryPlan({ splitPipeline: { mergerPart: [{ $mergeCursors: {} }, ...mergerPart] }, shards: grouped })
  expect(mergeOf()).toMatchObject({ figures: { ...counted, docsReturned: 8 } })
  expect(mergeOf({ $group: {} })).toMatchObject({ figures: { ...counted, docsReturned: null } })
  expect(mergeOf({ $facet: { x: [{ $lookup: lookup }] } })).toMatchObject({
    scansCollection: null,
    figures: expect.stringContaining('$lookup'),
  })
})

const scan = (docs: number, returned: number, works?: number) => ({
  $cursor: query({ stage: 'COLLSCAN' }, stats(0, docs, returned, works)),
  nReturned: returned,
})
const joined = { $lookup: { from: 'c' }, totalDocsExamined: 40, totalKeysExamined: 0, collectionScans: 4, nReturned: 5 }
const unionOf = (pipeline: object, nReturned = 15) => ({ $unionWith: { coll: 'b', pipeline }, nReturned })
const unknown = (text: string) => expect.stringContaining(text)

test.each([
  ['a union', [unionOf([scan(50, 5)])], 'FETCH → $unionWith (COLLSCAN)', true, 60],
  ['a union that the call did not read', [unionOf([{ $match: {} }], 10)], 'FETCH → $unionWith', false, 10],
  ['a union that it read half', [unionOf([scan(50, 5)], 12)], '$unionWith (COLLSCAN)', true, unknown('may end before')],
  ['a union whose query is closed early', [unionOf([scan(0, 0, 0)], 10)], 'COLLSCAN', true, unknown('inside of the')],
  ['a join in a union', [unionOf([scan(50, 5), joined])], '$lookup COLLSCAN', true, unknown('$lookup inside')],
  ['a union of shards', [unionOf({ shards: { s: { stages: [scan(50, 5)] } } })], '(COLLSCAN)', true, 60],
  [
    'a facet',
    [{ $facet: { x: [{ $internalFacetTeeConsumer: {} }, joined], y: [{ $count: 'n' }] }, nReturned: 1 }],
    'FETCH → $facet ($lookup COLLSCAN + $count)',
    true,
    50,
  ],
  ['a join of a server before 5.0', [{ $lookup: { from: 'c' } }], 'FETCH → $lookup', null, unknown('$lookup')],
  ['a graph', [{ $graphLookup: { from: 'c' }, nReturned: 1 }], 'FETCH → $graphLookup', null, unknown('$graphLookup')],
  [
    'a graph in a join',
    [{ ...joined, collectionScans: 0, $lookup: { pipeline: [{ $graphLookup: {} }] } }],
    'FETCH → $lookup',
    null,
    unknown('$graphLookup'),
  ],
  ['the collection that it is merged into', [{ $merge: {} }], 'FETCH → $merge', false, unknown('$merge')],
])('a pipeline has in its figures what %s examines, or why not', (_, stages, text, scansCollection, docs) => {
  const cursor = { $cursor: query({ stage: 'FETCH' }, stats(10, 10, 10)), nReturned: 10 }
  const expected = {
    text: unknown(text),
    scansCollection,
    figures: typeof docs === 'number' ? { docsExamined: docs } : docs,
  }
  expect(readQueryPlan({ stages: [cursor, ...stages] })).toMatchObject(expected)
})

/** The form of recorded answers of Atlas with 6.0.24 and mongot 1.49.5: whatever they find, all stages return 0. */
const none = { nReturned: 0, executionTimeMillisEstimate: 59 }
const search = { mongotQuery: { index: 'a', text: {} }, explain: { query: { type: 'BooleanQuery' }, metadata: {} } }

test.each([
  ['with its documents', [{ $_internalSearchMongotRemote: search }, { $_internalSearchIdLookup: {} }, { $match: {} }]],
  ['as newer servers name it', [{ $search: search }, { $_internalSearchIdLookup: {} }]],
  ['of its metadata', [{ $searchMeta: search }]],
  ['of vectors', [{ $vectorSearch: { ...search, numCandidates: 10 } }, { $_internalSearchIdLookup: {} }]],
])('a search %s has a plan, and no figures that would say that it found nothing', (_, stages) => {
  const answer = { explainVersion: '1', stages: stages.map((stage) => ({ ...stage, ...none })), ok: 1 }
  const text = stages.flatMap((stage) => Object.keys(stage)).join(' → ')
  const expected = { text, indexes: [], scansCollection: false, figures: expect.stringMatching(/search/i) }
  expect(readQueryPlan(answer)).toEqual(expected)
  expect(readQueryPlan({ mergeType: 'mongos', shards: { s0: answer, s1: answer } })).toEqual(expected)
})

test.each([[{ ok: 1 }], [null], [{ queryPlanner: {} }], [{ stages: 'none' }]])('%j is no plan', (answer) =>
  expect(readQueryPlan(answer)).toBeUndefined(),
)
