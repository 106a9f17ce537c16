import { expect, test } from 'vitest'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'

const waitsFor = (w: unknown) => [aPhase({ writeConcern: { w } })]
const members = [{ tags: { place: 'here' } }, { tags: { place: 'there' } }, { arbiter: true, tags: { place: 'away' } }]
const setWith = (modes: object) => ({ kind: 'replicaSet', members, settings: { writeConcernModes: modes } })
const twoPlaces = setWith({ twoPlaces: { place: 2 } })
const clusterWith = (...shards: object[]) => ({
  kind: 'sharded',
  shards: shards.map((modes) => ({ members, settings: { writeConcernModes: modes } })),
})

test.each([
  ['a mode of the set', twoPlaces, 'twoPlaces'],
  ['a majority', twoPlaces, 'majority'],
  ['a number', twoPlaces, 2],
  ['a mode of all shards', clusterWith({ twoPlaces: { place: 2 } }, { twoPlaces: { place: 2 } }), 'twoPlaces'],
  ['a majority of one', { kind: 'standalone' }, 'majority'],
  ['what only a server that is there can tell', { kind: 'existing' }, 'theirOwn'],
])('a write may wait for %s', (_what, target, w) => {
  expect(problemsOf({ target, phases: waitsFor(w) })).toEqual([])
})

test.each([
  ['of a set', twoPlaces, 'twoPlace', 'spec-write-concern-misspelt'],
  [
    'of a set with none of its own',
    { kind: 'replicaSet', members: 1 },
    'majorty',
    'spec-write-concern-majority-misspelt',
  ],
  ['of all shards', clusterWith({ twoPlaces: { place: 2 } }, {}), 'twoPlaces', 'spec-write-concern-unknown'],
  ['of a standalone', { kind: 'standalone' }, 'twoPlaces', 'spec-write-concern-unknown'],
])('a name that no mode %s has is told with the nearest', (_what, target, w, code) => {
  expect(problemsOf({ target, phases: waitsFor(w) })).toSay(code)
})

const inTransaction = (w: unknown) => [
  aPhase({ operations: [{ kind: 'transaction', writeConcern: { w }, steps: [{ kind: 'insertOne' }] }] }),
]

test.each([
  ['a standalone', { kind: 'standalone' }, waitsFor(2), 'spec-write-concern-of-standalone'],
  ['a set and its arbiter', twoPlaces, waitsFor(3), 'spec-write-concern-of-set'],
  [
    'the smallest of all shards',
    { kind: 'sharded', shards: [{ members: 3 }, {}] },
    waitsFor(2),
    'spec-write-concern-of-smallest-shard',
  ],
  ['a set, in a transaction', twoPlaces, inTransaction(3), 'spec-write-concern-of-transaction'],
])('a write cannot wait for more members than hold data in %s', (_what, target, phases, code) => {
  expect(problemsOf({ target, phases })).toSay(code)
})

test.each([
  ['that is stopped', { kind: 'replicaSet', members: [{}, { stopped: true }, { arbiter: true }] }],
  ['without a vote', { kind: 'replicaSet', members: [{}, { votes: 0 }] }],
])('a write may wait for a member %s', (_what, target) => {
  expect(problemsOf({ target, phases: waitsFor(2) })).toEqual([])
})

test('how many members a server that is there has is not known', () => {
  expect(problemsOf({ target: { kind: 'existing' }, phases: waitsFor(5) })).toEqual([])
  expect(problemsOf({ target: { kind: 'standalone' }, phases: waitsFor(5) }, { existing: true })).toEqual([])
})

test('a mode needs members with so many values of its tag, and an arbiter is none of them', () => {
  const target = setWith({ three: { place: 3 }, fast: { disk: 1 } })
  expect(problemsOf({ target })).toSay('spec-write-concern-modes-of-set')
})

test('a mode of a shard needs members of that shard', () => {
  expect(problemsOf({ target: clusterWith({}, { three: { place: 3 } }) })).toSay('spec-write-concern-mode-of-shard')
})

test('a member that is stopped counts for a mode: that it cannot be met then is what may be measured', () => {
  const [first, second] = members
  const target = { ...twoPlaces, members: [first, { ...second, stopped: true }, members[2]] }
  expect(problemsOf({ target, phases: waitsFor('twoPlaces') })).toEqual([])
})

const setOf = (list: readonly object[]) => ({ kind: 'replicaSet', members: list })

test('a change stream is refused where the members that run are no majority that holds data', () => {
  const watched = [aPhase({ operations: [{ kind: 'insertOne' }, { kind: 'changeStream', name: 'watch' }] })]
  expect(problemsOf({ target: setOf([{}, { stopped: true }, { arbiter: true }]), phases: watched })).toSay(
    'spec-stream-without-majority',
  )
  expect(problemsOf({ target: setOf([{}, { stopped: true }, {}]), phases: watched })).toEqual([])
})
