import { expect, test } from 'vitest'
import { readQueryPlan } from '../../../src/load/measure/query-plan.ts'

const ixscan = { stage: 'IXSCAN', keyPattern: { a: 1 }, indexName: 'a_1' }
const stats = (keys: number, docs: number, returned: number) => ({
  executionSuccess: true,
  nReturned: returned,
  totalKeysExamined: keys,
  totalDocsExamined: docs,
  executionStages: { stage: 'COLLSCAN' },
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
])('a plan %s is read', (_, winningPlan, text, indexes, scansCollection) => {
  expect(readQueryPlan(query(winningPlan))).toEqual({ text, indexes, scansCollection, figures })
})

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
  expect(
    readQueryPlan({ mergeType: 'mongos', shards: { s0: { host: 'a', stages }, s1: { host: 'b', stages } } }),
  ).toEqual({
    ...whole,
    figures: { keysExamined: 20, docsExamined: 820, docsReturned: 8 },
  })
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
  const unknown = { text, indexes: [], scansCollection: false, figures: expect.stringContaining('search') }
  expect(readQueryPlan(answer)).toEqual(unknown)
  expect(readQueryPlan({ mergeType: 'mongos', shards: { s0: answer, s1: answer } })).toEqual(unknown)
})

test.each([[{ ok: 1 }], [null], [{ queryPlanner: {} }], [{ stages: 'none' }]])('%j is no plan', (answer) => {
  expect(readQueryPlan(answer)).toBeUndefined()
})
