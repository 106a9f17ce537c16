import { expect, test } from 'vitest'
import { targetSpec, type TargetSpec } from '../../../../src/servers/targets/index.ts'
import { sharesServers } from '../../../../src/servers/targets/start/shared-servers.ts'

const standalone = (limits: object | undefined, others: object = {}, server: object = {}): TargetSpec =>
  targetSpec.parse({ kind: 'standalone', server: { ...server, ...(limits && { limits }) }, ...others })
const setOf = (members: readonly object[], server: object = {}, others: object = {}): TargetSpec =>
  targetSpec.parse({ kind: 'replicaSet', members, server, ...others })
const clusterOf = (shards: readonly object[], others: object = {}): TargetSpec =>
  targetSpec.parse({ kind: 'sharded', shards, ...others })
const existing = (uriFrom: string): TargetSpec => targetSpec.parse({ kind: 'existing', uriFrom })

const disk = { readIops: 100, readMBps: 5 }
const few = { readIops: 3 }
const withCpus = (cpus: number): object => ({ server: { limits: { cpus } } })
const linked = (rttMs: number): TargetSpec => setOf([{}, {}], {}, { links: [{ from: [0], to: [1], rttMs }] })
const fast = standalone({ readIops: 900 })

test.each<[string, TargetSpec, TargetSpec]>([
  ['all is the same', standalone(disk), standalone(disk)],
  ['other limits of the disk', standalone(disk), standalone({ writeIops: 7, readMBps: 1 })],
  ['fewer limits', standalone({ cpus: 1, ...disk }), standalone({ cpus: 2 })],
  ['no limits any more', standalone({ cpus: 1, ...disk }), standalone(undefined)],
  ['the same memory and no limit of the CPU', standalone({ memoryMB: 512, cpus: 1 }), standalone({ memoryMB: 512 })],
  ['other facts', standalone(disk, { facts: { diskIops: 100 } }), standalone(disk, { facts: { diskIops: 200 } })],
  [
    'other limits of one member',
    setOf([{}, withCpus(1)], { limits: disk }),
    setOf([{}, withCpus(0.5)], { limits: few }),
  ],
  ['the same links', linked(20), linked(20)],
  ['a member without limits', setOf([{}, {}], { limits: disk }), setOf([{}, { server: { limits: {} } }])],
  ['other limits of a shard', clusterOf([withCpus(1), {}]), clusterOf([{ members: [withCpus(0.5)] }, {}])],
])('servers go on with %s', (_what, started, wanted) => expect(sharesServers(started, wanted)).toBe(true))

test.each<[string, TargetSpec, TargetSpec]>([
  ['a row wants fresh ones', standalone(disk, { fresh: true }), standalone({ readIops: 3 }, { fresh: true })],
  ['they have no group for the CPU', standalone(disk), standalone({ ...disk, cpus: 1 })],
  ['they have no group at all', standalone(undefined), standalone(disk)],
  ['the cores differ', standalone(disk), standalone(disk, { cores: 'apart' })],
  ['the memory differs', standalone({ memoryMB: 512, ...disk }), standalone({ memoryMB: 600, ...disk })],
  ['the memory is not limited any more', standalone({ memoryMB: 512, ...disk }), standalone(disk)],
  ['another option differs', fast, standalone({ readIops: 900 }, {}, { cacheGB: 0.5 })],
  ['the kind differs', fast, setOf([{}], { limits: { readIops: 900 } })],
  ['a member differs', setOf([{}, { priority: 0 }], { limits: disk }), setOf([{}, {}], { limits: disk })],
  ['a member is stopped', setOf([{}, {}, {}]), setOf([{}, {}, { stopped: true }])],
  ['a member has no group', setOf([{ server: { limits: {} } }], { limits: disk }), setOf([{}], { limits: disk })],
  ['a link takes longer', linked(20), linked(21)],
  ['nothing is linked any more', linked(20), setOf([{}, {}])],
  ['there are more members', setOf([{}], { limits: disk }), setOf([{}, {}], { limits: disk })],
  ['there are more shards', clusterOf([{}, {}]), clusterOf([{}])],
  ['a shard has more members', clusterOf([{ members: 3 }]), clusterOf([{}])],
  ['an option of a shard differs', clusterOf([{ server: { cacheGB: 0.5 } }]), clusterOf([{}])],
  ['the router differs', clusterOf([{}], { router: { version: '6.0' } }), clusterOf([{}])],
])('new servers are started when %s', (_what, started, wanted) => expect(sharesServers(started, wanted)).toBe(false))

test('a server of others is another one under another variable', () => {
  expect(sharesServers(existing('MONGO_PERF_URI_A'), existing('MONGO_PERF_URI_A'))).toBe(true)
  expect(sharesServers(existing('MONGO_PERF_URI_A'), existing('MONGO_PERF_URI_B'))).toBe(false)
})
