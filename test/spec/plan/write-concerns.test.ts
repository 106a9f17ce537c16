import { expect, test } from 'vitest'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'

const waitsFor = (w: unknown) => [aPhase({ writeConcern: { w } })]
const members = [{ tags: { place: 'here' } }, { tags: { place: 'there' } }, { arbiter: true, tags: { place: 'away' } }]
const set = { kind: 'replicaSet', members }

test.each([
  ['a majority', set, 'majority'],
  ['a number', set, 2],
  ['a majority of one', { kind: 'standalone' }, 'majority'],
  ['what only a server that is there can tell', { kind: 'existing' }, 'theirOwn'],
])('a write may wait for %s', (_what, target, w) => expect(problemsOf({ target, phases: waitsFor(w) })).toEqual([]))

test.each([
  ['of a set', set, 'majorty', 'spec-write-concern-majority-misspelt'],
  ['of shards', { kind: 'sharded', shards: 2 }, 'twoPlaces', 'spec-write-concern-unknown'],
  ['of a standalone', { kind: 'standalone' }, 'twoPlaces', 'spec-write-concern-unknown'],
])('a name that no write concern %s has is told with the nearest', (_what, target, w, code) =>
  expect(problemsOf({ target, phases: waitsFor(w) })).toSay(code),
)

const inTransaction = (w: unknown) => [
  aPhase({ operations: [{ kind: 'transaction', writeConcern: { w }, steps: [{ kind: 'insertOne' }] }] }),
]

test.each([
  ['a standalone', { kind: 'standalone' }, waitsFor(2), 'spec-write-concern-of-standalone'],
  ['a set and its arbiter', set, waitsFor(3), 'spec-write-concern-of-set'],
  [
    'the smallest of all shards',
    { kind: 'sharded', shards: [{ members: 3 }, {}] },
    waitsFor(2),
    'spec-write-concern-of-smallest-shard',
  ],
  ['a set, in a transaction', set, inTransaction(3), 'spec-write-concern-of-transaction'],
])('a write cannot wait for more members than hold data in %s', (_what, target, phases, code) =>
  expect(problemsOf({ target, phases })).toSay(code),
)

test.each([
  ['that is stopped', { kind: 'replicaSet', members: [{}, { stopped: true }, { arbiter: true }] }],
  ['without a vote', { kind: 'replicaSet', members: [{}, { votes: 0 }] }],
])('a write may wait for a member %s', (_what, target) =>
  expect(problemsOf({ target, phases: waitsFor(2) })).toEqual([]),
)

test('how many members a server that is there has is not known', () => {
  expect(problemsOf({ target: { kind: 'existing' }, phases: waitsFor(5) })).toEqual([])
  expect(problemsOf({ target: { kind: 'standalone' }, phases: waitsFor(5) }, { existing: true })).toEqual([])
})

const setOf = (list: readonly object[]) => ({ kind: 'replicaSet', members: list })

test('a change stream is refused where the members that run are no majority that holds data', () => {
  const watched = [aPhase({ operations: [{ kind: 'insertOne' }, { kind: 'changeStream', name: 'watch' }] })]
  expect(problemsOf({ target: setOf([{}, { stopped: true }, { arbiter: true }]), phases: watched })).toSay(
    'spec-stream-without-majority',
  )
  expect(problemsOf({ target: setOf([{}, { stopped: true }, {}]), phases: watched })).toEqual([])
})
