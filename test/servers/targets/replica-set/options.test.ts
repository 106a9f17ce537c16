import { expect, test } from 'vitest'
import { targetSpec } from '../../../../src/servers/targets/index.ts'
import { firstPrimary, reachesMajority, setConfiguration } from '../../../../src/servers/targets/replica-set/options.ts'

function parseSet(fields: object) {
  const spec = targetSpec.parse({ kind: 'replicaSet', ...fields })
  if (spec.kind !== 'replicaSet') throw new Error('Expected a replica set')
  return spec
}

function configure(fields: object) {
  const { members, settings } = parseSet(fields)
  const placed = members.map((member, index) => ({ member, host: `h:${index}` }))
  return setConfiguration('rs', placed, settings)
}

test('a set has three equal members and the settings of the server unless the spec says otherwise', () =>
  expect(configure({})).toEqual({
    _id: 'rs',
    members: [0, 1, 2].map((index) => ({ _id: index, host: `h:${index}`, priority: 1, votes: 1 })),
    settings: {
      electionTimeoutMillis: 10_000,
      heartbeatIntervalMillis: 2_000,
      heartbeatTimeoutSecs: 10,
      catchUpTimeoutMillis: -1,
      chainingAllowed: true,
    },
  }))

test('members that may not be primary get no priority by themselves', () => {
  const hidden = { hidden: true, tags: { use: 'report' } }
  const members = [{}, { arbiter: true }, hidden, { votes: 0 }, { secondaryDelaySeconds: 60 }]
  expect(configure({ members })['members']).toEqual([
    { _id: 0, host: 'h:0', priority: 1, votes: 1 },
    { _id: 1, host: 'h:1', priority: 0, votes: 1, arbiterOnly: true },
    { _id: 2, host: 'h:2', priority: 0, votes: 1, hidden: true, tags: { use: 'report' } },
    { _id: 3, host: 'h:3', priority: 0, votes: 0 },
    { _id: 4, host: 'h:4', priority: 0, votes: 1, secondaryDelaySecs: 60 },
  ])
})

test.each([
  ['no members', []],
  ['more than seven', Array.from({ length: 8 }, () => ({}))],
  ['eight by number', 8],
  ['none that can be primary', [{ arbiter: true }, { priority: 0 }]],
  ['none that can be primary and is not stopped', [{ stopped: true }, { priority: 0 }, { arbiter: true }]],
  ['so many that are stopped that none is elected', [{}, {}, { stopped: true }, { stopped: true }]],
  ['a hidden member with a priority', [{}, { hidden: true, priority: 1 }]],
  ['an unknown field', [{ arbitre: true }]],
])('a set with %s is refused', (_what, members) =>
  expect(targetSpec.safeParse({ kind: 'replicaSet', members }).success).toBe(false),
)

test.each([
  ['the first of equals', [{}, {}], 0],
  ['the one with the highest priority', [{ arbiter: true }, { priority: 1 }, { priority: 5 }], 2],
  ['not an arbiter', [{ arbiter: true }, { priority: 0.5 }], 1],
  ['not one that is stopped', [{ stopped: true, priority: 9 }, {}, {}], 1],
])('the first primary is %s', (_what, members, expected) =>
  expect(firstPrimary(parseSet({ members }).members)).toBe(expected),
)

test('that a member will be stopped is no part of the configuration', () =>
  expect(configure({ members: [{}, {}, { stopped: true }] })).toEqual(configure({ members: 3 })))

test.each([
  [true, 'all that hold data', [{}, {}, { arbiter: true }]],
  [true, 'two of three', [{}, {}, { stopped: true }]],
  [false, 'one of two, beside an arbiter that holds nothing', [{}, { stopped: true }, { arbiter: true }]],
  [true, 'one of one, beside an arbiter', [{}, { arbiter: true }, { votes: 0, stopped: true }]],
  [false, 'two of four, beside an arbiter', [{}, {}, { stopped: true }, { stopped: true }, { arbiter: true }]],
])('whether a majority can acknowledge is %s for %s', (expected, _what, members) =>
  expect(reachesMajority(parseSet({ members }).members)).toBe(expected),
)
