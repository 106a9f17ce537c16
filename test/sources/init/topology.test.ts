import { expect, test } from 'vitest'
import { targetSpec } from '../../../src/servers/targets/index.ts'
import { detectTopology } from '../../../src/sources/init/topology.ts'

const hosts = (count: number) => Array.from({ length: count }, (_, i) => `db${i}:27017`)

test.each([
  ['a standalone server', detectTopology({}), { kind: 'standalone' }, 'standalone server', 1],
  [
    'a replica set of equal members',
    detectTopology({ setName: 'rs', hosts: hosts(3) }),
    { kind: 'replicaSet', members: 3 },
    'replica set of 3 members',
    3,
  ],
  [
    'members that hold no data or are never primary',
    detectTopology({ setName: 'rs', hosts: hosts(1), passives: ['p:1'], arbiters: ['a:1'] }),
    { kind: 'replicaSet', members: [{}, { priority: 0 }, { arbiter: true }] },
    'replica set of 3 members',
    2,
  ],
  [
    'a cluster whose shards may be read',
    detectTopology({ msg: 'isdbgrid' }, [{ host: 's0/a:1,b:1,c:1' }, { host: 's1/d:1' }]),
    { kind: 'sharded', shards: [{ members: 3 }, { members: 1 }] },
    'sharded cluster of 2 shards',
    1,
  ],
  [
    'a cluster whose shards may not be read',
    detectTopology({ msg: 'isdbgrid' }),
    { kind: 'sharded' },
    'sharded cluster',
    1,
  ],
])('%s becomes a target of the same kind', (_what, topology, target, name, holders) => {
  expect(topology).toMatchObject({ target, name, holders })
  expect(targetSpec.parse(topology.target).kind).toBe(target.kind)
})

test('a set of more members than a target can have is cut, with a note', () => {
  const { target, notes } = detectTopology({ setName: 'rs', hosts: hosts(9) })
  expect(target).toEqual({ kind: 'replicaSet', members: 7 })
  expect(notes).toSay('init-note-large-set', { members: 9, most: 7 })
})

test('a cluster does not shard the collection by itself, and a note reports it', () => {
  expect(detectTopology({ msg: 'isdbgrid' }, [{ host: 's0/a:1' }]).notes).toSay('init-note-not-sharded')
})
