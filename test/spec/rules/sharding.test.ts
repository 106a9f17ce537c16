import { expect, test } from 'vitest'
import { problemsOf } from '../../fakes/a-spec.ts'

const sharding = { key: { n: 1 }, splitAt: [{ n: 3 }, { n: 7 }], chunksTo: [0, 5, 1] }
const data = { collection: 'things', rows: 10, document: { _id: { '@row': {} }, n: 1 } }

test.each([
  ['a cluster that is started', { kind: 'sharded', shards: 6 }],
  ['an existing cluster, which is unknown yet', { kind: 'existing' }],
])('what fits is accepted on %s', (_what, target) =>
  expect(problemsOf({ target, data: { ...data, sharding } })).toEqual([]),
)

test('a spec with a cluster of its own may be run on one that runs', () => {
  const target = { kind: 'sharded', shards: 2 }
  expect(problemsOf({ target, data: { ...data, sharding: { key: { n: 1 } } } }, { existing: true })).toEqual([])
})

test.each([undefined, { kind: 'standalone' }, { kind: 'replicaSet', members: 1 }])('%j cannot shard', (target) =>
  expect(problemsOf({ target, data: { ...data, sharding } })).toSay('spec-sharding-without-cluster', {
    kind: target?.kind ?? 'standalone',
  }),
)

test.each<[string, readonly unknown[], number]>([
  ['falls', [3, 2], 1],
  ['stands twice', [3, 3], 1],
  ['is of a lower type', ['a', 5], 1],
])('a split point that %s is refused', (_what, points, index) => {
  const splitAt = points.map((n) => ({ n }))
  const target = { kind: 'sharded' }
  expect(problemsOf({ target, data: { ...data, sharding: { key: { n: 1 }, splitAt } } })).toSay(
    'spec-sharding-split-order',
    { index },
  )
})

test('types of Extended JSON have their order too', () => {
  const splitAt = ['2026-01-01', '2026-02-01'].map((day) => ({ n: { $date: `${day}T00:00:00Z` } }))
  const target = { kind: 'sharded' }
  expect(problemsOf({ target, data: { ...data, sharding: { key: { n: 1 }, splitAt } } })).toEqual([])
  expect(
    problemsOf({ target, data: { ...data, sharding: { key: { n: 1 }, splitAt: splitAt.toReversed() } } }),
  ).toHaveLength(1)
})

test('a time series is not sharded, and one that is sharded already may be measured', () => {
  const timeseries = { timeField: 'at', metaField: 'device' }
  const document = { at: { '@date': {} }, device: { '@int': { max: 9 } } }
  const series = { collection: 'readings', document, options: { timeseries } }
  const sharded = { ...series, sharding: { key: { device: 1 } } }
  const operations = [{ kind: 'find', filter: { device: 1 } }]
  const phases = [{ name: 'read', stopAfter: { operations: 1 }, operations }]
  expect(problemsOf({ target: { kind: 'sharded' }, data: sharded, phases })).toSay('spec-sharding-time-series')
  const existing = { existing: 'plant.readings' }
  expect(problemsOf({ target: { kind: 'existing' }, data: existing, phases })).toEqual([])
})

const balanced = (collection: string, balancer?: boolean) => ({
  ...data,
  collection,
  sharding: { key: { n: 1 }, balancer },
})

test('collections that disagree about the balancer are refused: a cluster has one', () => {
  const operations = [{ kind: 'insertOne', collection: 'things' }]
  const phases = [{ name: 'write', stopAfter: { operations: 1 }, operations }]
  const problems = (...sets: readonly object[]) => problemsOf({ target: { kind: 'sharded' }, data: sets, phases })
  expect(problems(balanced('things', false), balanced('others'), balanced('more', true))).toSay(
    'spec-sharding-balancers',
  )
  expect(problems(balanced('things', false), balanced('others'), balanced('more', false))).toEqual([])
})
