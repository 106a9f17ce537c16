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
  ['of a set', twoPlaces, 'twoPlace', '; did you mean "twoPlaces"?'],
  ['of a set with none of its own', { kind: 'replicaSet', members: 1 }, 'majorty', '; did you mean "majority"?'],
  ['of all shards', clusterWith({ twoPlaces: { place: 2 } }, {}), 'twoPlaces', '; known: majority'],
  ['of a standalone', { kind: 'standalone' }, 'twoPlaces', '; known: majority'],
])('a name that no mode %s has is told with the nearest', (_what, target, w, meant) => {
  expect(problemsOf({ target, phases: waitsFor(w) })).toEqual([
    `phases[0].writeConcern.w: the target defines no write concern "${w}"${meant}`,
  ])
})

const inTransaction = (w: unknown) => [
  aPhase({ operations: [{ kind: 'transaction', writeConcern: { w }, steps: [{ kind: 'insertOne' }] }] }),
]

test.each([
  ['a standalone', { kind: 'standalone' }, waitsFor(2), '', 2, 'a standalone server has 1'],
  ['a set and its arbiter', twoPlaces, waitsFor(3), '', 3, 'the set has 2'],
  [
    'the smallest of all shards',
    { kind: 'sharded', shards: [{ members: 3 }, {}] },
    waitsFor(2),
    '',
    2,
    'the smallest shard has 1',
  ],
  ['a set, in a transaction', twoPlaces, inTransaction(3), '.operations[0]', 3, 'the set has 2'],
])('a write cannot wait for more members than hold data in %s', (_what, target, phases, at, wanted, there) => {
  expect(problemsOf({ target, phases })).toEqual([
    `phases[0]${at}.writeConcern.w: needs ${wanted} members that hold data, and ${there}: such a write is never acknowledged; use a lower number, or give the target more members`,
  ])
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
  const at = 'target.settings.writeConcernModes'
  expect(problemsOf({ target: setWith({ three: { place: 3 }, fast: { disk: 1 } }) })).toEqual([
    `${at}.three.place: needs 3 different values of the tag "place", and members have only here, there`,
    `${at}.fast.disk: needs a value of the tag "disk", and no member has that tag`,
  ])
})

test('a mode of a shard needs members of that shard', () => {
  expect(problemsOf({ target: clusterWith({}, { three: { place: 3 } }) })).toEqual([
    'target.shards[1].settings.writeConcernModes.three.place: needs 3 different values of the tag "place", and members have only here, there',
  ])
})

test('a member that is stopped counts for a mode: that it cannot be met then is what may be measured', () => {
  const [first, second] = members
  const target = { ...twoPlaces, members: [first, { ...second, stopped: true }, members[2]] }
  expect(problemsOf({ target, phases: waitsFor('twoPlaces') })).toEqual([])
})

const setOf = (list: readonly object[]) => ({ kind: 'replicaSet', members: list })

test('a change stream is refused where the members that run are no majority that holds data', () => {
  const watched = [aPhase({ operations: [{ kind: 'insertOne' }, { kind: 'changeStream', name: 'watch' }] })]
  expect(problemsOf({ target: setOf([{}, { stopped: true }, { arbiter: true }]), phases: watched })).toEqual([
    expect.stringContaining('a change stream shows only what a majority of the members has'),
  ])
  expect(problemsOf({ target: setOf([{}, { stopped: true }, {}]), phases: watched })).toEqual([])
})
