import { expect, test } from 'vitest'
import { faultKinds, computeTargetNeeds } from '../../../src/servers/faults/index.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { aPhase, oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { aFault } from '../../servers/faults/a-fault.ts'

const set = { kind: 'replicaSet', members: [{}, {}, { arbiter: true }, { stopped: true }, {}] }
const cluster = { kind: 'sharded', shards: [{ members: 3 }, {}] }

/** What is told of a phase of 60 s with such faults. */
const told = (faults: readonly object[], target: object = set, overrides: object = {}) =>
  problemsOf(
    {
      target,
      phases: [aPhase({ stopAfter: { seconds: 60 }, faults: faults.map((fault) => ({ atSeconds: 1, ...fault })) })],
    },
    overrides,
  )
const at = 'phases[0].faults[0]'

test.each([
  ['kill', {}],
  ['terminate', { target: 'secondaries' }],
  ['pause', { target: ['member0', 'member2'] }],
  ['stepDown', { everySeconds: 10 }],
  ['partition', { groups: [['minority'], ['all', 'client']] }],
  ['partition', { links: [{ from: ['client'], to: ['primary'] }], how: 'stall' }],
  ['delay', { links: [{ from: ['primary'], to: ['secondaries'] }], rttMs: 100 }],
  ['failPoint', { failPoint: 'failCommand', data: { errorCode: 91 } }],
  ['fileSizeLimit', { target: 'any' }],
  ['random', { of: [{ kind: 'kill' }, { kind: 'stepDown' }], everySeconds: 20, forSeconds: { min: 1, max: 5 } }],
])('a replica set of ours takes %s', (kind, parts) => {
  expect(told([{ kind, ...parts }])).toEqual([])
})

test.each([
  ['standalone', 'kill', {}],
  ['standalone', 'pause', { target: 'member0' }],
  ['standalone', 'failPoint', { failPoint: 'failCommand' }],
  ['sharded', 'kill', { target: 'shard0/primary' }],
  ['sharded', 'stepDown', { target: 'shard0/primary' }],
  ['sharded', 'pause', { target: 'config/any' }],
  ['sharded', 'partition', { groups: [['shard0/minority'], ['shard0/all', 'client']] }],
  [
    'sharded',
    'delay',
    { rttMs: 5, links: ['shard0', 'shard1'].map((name) => ({ from: ['client'], to: [`${name}/all`] })) },
  ],
])('a target of kind %s takes %s', (kind, fault, parts) => {
  expect(told([{ kind: fault, ...parts }], kind === 'sharded' ? cluster : { kind })).toEqual([])
})

test.each<[object, object, string]>([
  [
    { kind: 'standalone' },
    { kind: 'stepDown' },
    '"stepDown" does not work on a target of kind "standalone"; it needs "existing" or "replicaSet" or "sharded"',
  ],
  [
    { kind: 'standalone' },
    { kind: 'partition', groups: [['any'], ['client']] },
    '"partition" does not work on a target of kind "standalone"; it needs "replicaSet" or "sharded"',
  ],
])('a target is told by name what it cannot take', (target, fault, reason) => {
  expect(told([fault], target)).toEqual([`${at}: ${reason}`])
})

test.each<[object, string, string]>([
  [set, 'member5', 'there is no member5: the set has 5, counted from 0'],
  [set, 'member3', 'member3 is stopped all the time'],
  [set, 'shard0/primary', 'there is no "shard0" in a target of kind "replicaSet"'],
  [{ kind: 'replicaSet', members: 1 }, 'secondary', 'the set has one member, and no secondary'],
  [{ kind: 'replicaSet', members: 2 }, 'minority', 'a set of 2 has no minority'],
  [{ kind: 'standalone' }, 'secondary', 'there is no secondary: the target is one server'],
  [cluster, 'primary', 'name the set too: "shard0/primary"'],
  [cluster, 'shard2/primary', 'there is no shard2: the target has 2 shards, counted from 0'],
  [cluster, 'shard1/member1', 'there is no member1: the set has 1, counted from 0'],
  [cluster, 'config/member1', 'there is no member1: the set has 1, counted from 0'],
])('in %j a word that stands for no server is told: %s', (target, word, reason) => {
  expect(told([{ kind: 'kill', target: word }], target)).toEqual([`${at}.target: ${reason}`])
})

test('links of a cluster are those inside of one shard', () => {
  const links = [{ from: ['shard0/member0', 'client'], to: ['shard0/member1', 'shard1/member0'] }]
  expect(told([{ kind: 'delay', links, rttMs: 5 }], cluster)).toEqual([
    `${at}.links[0].to[1]: is not in shard0: only links inside of one shard, or with its "client", change`,
  ])
  expect(told([{ kind: 'partition', groups: [['shard1/any'], ['shard0/any']] }], cluster)).toEqual([
    `${at}.groups[1][0]: is not in shard1: only links inside of one shard, or with its "client", change`,
  ])
  expect(told([{ kind: 'partition', groups: [['config/any'], ['client']] }], cluster)).toEqual([
    `${at}.groups[0][0]: links of config servers cannot be changed: name members of a shard`,
  ])
})

test('a word is told where it stands', () => {
  const partition = { kind: 'partition', groups: [['primary'], ['member0', 'member7']] }
  expect(told([partition])).toEqual([`${at}.groups[1][1]: there is no member7: the set has 5, counted from 0`])
  const random = {
    kind: 'random',
    of: [{ kind: 'kill' }, { kind: 'pause', target: ['any', 'member7'] }],
    everySeconds: 20,
    forSeconds: { min: 1, max: 5 },
  }
  expect(told([random])).toEqual([`${at}.of[1].target[1]: there is no member7: the set has 5, counted from 0`])
})

test.each<[string, readonly object[], string]>([
  [
    'another fault',
    [{ kind: 'pause', name: 'kill', forSeconds: 1 }, { kind: 'kill' }],
    'phases[0].faults[1]: another fault of this phase is called "kill"; give the fault a "name"',
  ],
  [
    'an operation',
    [{ kind: 'kill', name: 'findOne' }],
    `${at}: an operation of this phase is called "findOne"; give the fault another "name"`,
  ],
  ['a phase', [{ kind: 'kill', name: 'read' }], `${at}: a phase is called "read"; give the fault another "name"`],
])('a fault is not called as %s', (_what, faults, reason) => {
  expect(told(faults)).toEqual([reason])
})

test.each<[object, string]>([
  [{ kind: 'kill', atSeconds: 60 }, `${at}.atSeconds: the phase is over after 60 s`],
  [{ kind: 'kill', times: 2 }, `${at}.times: needs "everySeconds": the time from one to the next`],
  [{ kind: 'kill', everySeconds: 5 }, `${at}.everySeconds: needs "forSeconds": how long each of them lasts`],
  [
    { kind: 'kill', everySeconds: 5, forSeconds: 5 },
    `${at}.forSeconds: must be below "everySeconds" (5): one is undone before the next begins`,
  ],
  [
    { kind: 'random', of: [{ kind: 'kill' }], everySeconds: 5, forSeconds: { min: 1, max: 5 } },
    `${at}.forSeconds: must be below "everySeconds" (5): one is undone before the next begins`,
  ],
  [
    { kind: 'random', of: [{ kind: 'kill' }], everySeconds: 9, forSeconds: { min: 3, max: 2 } },
    `${at}.forSeconds.max: is below "min"`,
  ],
  [{ kind: 'stepDown', target: 'secondary' }, `${at}.target: only a primary can step down: write "primary"`],
  [{ kind: 'partition' }, `${at}: takes either "groups" or "links"`],
  [
    { kind: 'failPoint', failPoint: 'x', data: { n: { '@int': {} } } },
    `${at}.data: cannot hold drawn values: it is sent once, before any row exists`,
  ],
])('%j is told', (fault, reason) => {
  expect(told([fault])).toEqual([reason])
})

test('a server that others run steps down only where the command line allows it, and takes nothing else', () => {
  const existing = { kind: 'existing' }
  expect(told([{ kind: 'stepDown' }], existing)).toEqual([expect.stringContaining('add --allow-step-down')])
  expect(told([{ kind: 'stepDown' }], existing, { allowStepDown: true })).toEqual([])
  expect(told([{ kind: 'kill' }], existing, { allowStepDown: true })).toEqual([
    `${at}: "kill" does not work on an existing server; only "stepDown" does`,
  ])
  expect(told([{ kind: 'stepDown' }], set, { existing: true })).toEqual([expect.stringContaining('--allow-step-down')])
})

test.each([...faultKinds])('the example of $kind is right', ({ kind, example }) => {
  expect(told([{ kind, ...example }])).toEqual([])
})

test('a phase without faults has none, and nothing is repeated', () => {
  const { spec } = oneRow()
  const context = { seed: 1, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  const plan = compilePhase(spec.phases[0] ?? fail('no phase'), ['phases', 0], dataSets, context)
  expect(plan).toMatchObject({ faults: [], retries: 'none' })
})

test('faults ask their target for what they need, and for nothing else', () => {
  const cut = { groups: [['primary'], ['secondaries']] }
  expect(computeTargetNeeds([aFault({}), aFault({ kind: 'stepDown' })])).toEqual({
    proxies: false,
    testCommands: false,
  })
  expect(computeTargetNeeds([aFault({ kind: 'partition', ...cut })])).toEqual({ proxies: true, testCommands: false })
  const drawn = {
    kind: 'random',
    everySeconds: 9,
    forSeconds: { min: 1, max: 2 },
    of: [
      { kind: 'failPoint', failPoint: 'x' },
      { kind: 'partition', ...cut },
    ],
  }
  expect(computeTargetNeeds([aFault(drawn)])).toEqual({ proxies: true, testCommands: true })
})
