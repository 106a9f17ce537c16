import { expect, test } from 'vitest'
import { faultKinds, computeTargetNeeds } from '../../../src/servers/faults/index.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'
import { aFault } from '../../servers/faults/a-fault.ts'
import { type TextData } from '../../texts/golden.ts'

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
])('a replica set of ours takes %s', (kind, parts) => expect(told([{ kind, ...parts }])).toEqual([]))

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
])('a target of kind %s takes %s', (kind, fault, parts) =>
  expect(told([{ kind: fault, ...parts }], kind === 'sharded' ? cluster : { kind })).toEqual([]),
)

test.each<[object, string]>([
  [{ kind: 'stepDown' }, 'spec-fault-step-down-of-standalone'],
  [{ kind: 'partition', groups: [['any'], ['client']] }, 'spec-fault-partition-of-standalone'],
])('a target is told by name what it cannot take', (fault, code) =>
  expect(told([fault], { kind: 'standalone' })).toSay(code),
)

test.each<[object, string, string, TextData?]>([
  [set, 'member5', 'spec-fault-target-no-member', { has: 5 }],
  [set, 'member3', 'spec-fault-target-stopped'],
  [set, 'shard0/primary', 'spec-fault-target-shard-of-set'],
  [{ kind: 'replicaSet', members: 1 }, 'secondary', 'spec-fault-target-no-secondary'],
  [{ kind: 'replicaSet', members: 2 }, 'minority', 'spec-fault-target-no-minority'],
  [{ kind: 'standalone' }, 'secondary', 'spec-fault-target-secondary-of-standalone'],
  [cluster, 'primary', 'spec-fault-target-without-shard'],
  [cluster, 'shard2/primary', 'spec-fault-target-no-shard'],
  [cluster, 'shard1/member1', 'spec-fault-target-no-member', { has: 1 }],
  [cluster, 'config/member1', 'spec-fault-target-no-member', { has: 1 }],
])('in %j a word that stands for no server is told: %s', (target, word, code, has) => {
  const data = has && { place: `${at}.target`, member: word.replace(/.*\//, ''), ...has }
  expect(told([{ kind: 'kill', target: word }], target)).toSay(code, data)
})

test('links of a cluster are those inside of one shard', () => {
  const links = [{ from: ['shard0/member0', 'client'], to: ['shard0/member1', 'shard1/member0'] }]
  expect(told([{ kind: 'delay', links, rttMs: 5 }], cluster)).toSay('spec-fault-link-elsewhere', {
    place: `${at}.links[0].to[1]`,
    shard: 'shard0',
  })
  expect(told([{ kind: 'partition', groups: [['shard1/any'], ['shard0/any']] }], cluster)).toSay(
    'spec-fault-link-elsewhere',
    { place: `${at}.groups[1][0]`, shard: 'shard1' },
  )
  expect(told([{ kind: 'partition', groups: [['config/any'], ['client']] }], cluster)).toSay(
    'spec-fault-link-of-config',
  )
})

test('a word is told where it stands', () => {
  const partition = { kind: 'partition', groups: [['primary'], ['member0', 'member7']] }
  const member7 = { member: 'member7', has: 5 }
  expect(told([partition])).toSay('spec-fault-target-no-member', { place: `${at}.groups[1][1]`, ...member7 })
  const random = {
    kind: 'random',
    of: [{ kind: 'kill' }, { kind: 'pause', target: ['any', 'member7'] }],
    everySeconds: 20,
    forSeconds: { min: 1, max: 5 },
  }
  expect(told([random])).toSay('spec-fault-target-no-member', { place: `${at}.of[1].target[1]`, ...member7 })
})

test('a fault is not called as an operation', () =>
  expect(told([{ kind: 'kill', name: 'findOne' }])).toSay('spec-fault-called-as-operation'))

test.each<[object, string]>([
  [{ kind: 'kill', atSeconds: 60 }, 'spec-fault-too-late'],
  [{ kind: 'kill', times: 2 }, 'spec-fault-times-alone'],
  [{ kind: 'kill', everySeconds: 5 }, 'spec-fault-without-end'],
  [{ kind: 'random', of: [{ kind: 'kill' }], everySeconds: 5, forSeconds: { min: 1, max: 5 } }, 'spec-fault-too-long'],
  [{ kind: 'random', of: [{ kind: 'kill' }], everySeconds: 9, forSeconds: { min: 3, max: 2 } }, 'spec-fault-reversed'],
  [{ kind: 'stepDown', target: 'secondary' }, 'spec-fault-step-down-of-secondary'],
  [{ kind: 'partition' }, 'spec-fault-partition-of-nothing'],
  [{ kind: 'failPoint', failPoint: 'x', data: { n: { '@int': {} } } }, 'spec-fault-data-drawn'],
])('%j is told', (fault, code) => expect(told([fault])).toSay(code))

test('a server that others run steps down only where the command line allows it, and takes nothing else', () => {
  const existing = { kind: 'existing' }
  expect(told([{ kind: 'stepDown' }], existing)).toSay('spec-fault-step-down-of-others')
  expect(told([{ kind: 'stepDown' }], existing, { allowStepDown: true })).toEqual([])
  expect(told([{ kind: 'kill' }], existing, { allowStepDown: true })).toSay('spec-fault-kill-of-others')
  expect(told([{ kind: 'stepDown' }], set, { existing: true })).toSay('spec-fault-step-down-of-others')
})

test.each([...faultKinds])('the example of $kind is right', ({ kind, example }) =>
  expect(told([{ kind, ...example }])).toEqual([]),
)

test('a phase without faults has none, and nothing is repeated', () =>
  expect(aPlan()).toMatchObject({ faults: [], retries: 'none' }))

const needsOf = (...faults: Parameters<typeof aFault>[0][]) => computeTargetNeeds(faults.map((fault) => aFault(fault)))

test('faults ask their target for what they need, and for nothing else', () => {
  const cut = { groups: [['primary'], ['secondaries']] }
  expect(needsOf({}, { kind: 'stepDown' })).toEqual({ proxies: false, testCommands: false })
  const partition = { kind: 'partition', ...cut }
  expect(needsOf(partition)).toEqual({ proxies: true, testCommands: false })
  const of = [{ kind: 'failPoint', failPoint: 'x' }, partition]
  const drawn = { kind: 'random', everySeconds: 9, forSeconds: { min: 1, max: 2 }, of }
  expect(needsOf(drawn)).toEqual({ proxies: true, testCommands: true })
})
