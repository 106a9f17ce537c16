import { expect, test } from 'vitest'
import { type ServerReplies, toServerInfo } from '../../src/resources/server-info.ts'

const nothing: ServerReplies = { hello: null, buildInfo: null, serverStatus: null, hostInfo: null }

test('a server tells its version, engine, cache, cores, memory and system', () => {
  const info = toServerInfo(
    {
      hello: { isWritablePrimary: true },
      buildInfo: { version: '6.0.5' },
      serverStatus: {
        storageEngine: { name: 'wiredTiger' },
        wiredTiger: { cache: { 'maximum bytes configured': 268435456 } },
      },
      hostInfo: {
        system: {
          hostname: 'secret-host:27017',
          memSizeMB: 24105,
          memLimitMB: 4096,
          numCores: 8,
          numCoresAvailableToProcess: 2,
        },
        os: { type: 'Linux', name: 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"', version: 'Kernel 6.1.0' },
      },
    },
    true,
  )
  expect(info).toEqual({
    version: '6.0.5',
    topology: 'standalone',
    storageEngine: 'wiredTiger',
    cacheMB: 256,
    cores: 2,
    memoryMB: 4096,
    os: 'Debian GNU/Linux 12 (bookworm), Kernel 6.1.0',
    startedByUs: true,
  })
})

test('what the server refuses to tell is null', () => {
  expect(toServerInfo({ ...nothing, hello: {}, buildInfo: { version: '8.0.4' } }, false)).toEqual({
    version: '8.0.4',
    topology: 'standalone',
    storageEngine: null,
    cacheMB: null,
    cores: null,
    memoryMB: null,
    os: null,
    startedByUs: false,
  })
})

test('older servers know the cores of the host only', () => {
  expect(toServerInfo({ ...nothing, hostInfo: { system: { numCores: 8, memSizeMB: 100 } } }, false)).toMatchObject({
    cores: 8,
    memoryMB: 100,
  })
})

test.each([
  ['replica set of 3', { setName: 'rs0', hosts: ['a:1', 'b:1', 'c:1'] }],
  ['replica set of 3', { setName: 'rs0', hosts: ['a:1', 'b:1'], passives: ['c:1'] }],
  ['replica set of 2 + arbiter', { setName: 'rs0', hosts: ['a:1', 'b:1'], arbiters: ['c:1'] }],
  ['replica set of 3 + 2 arbiters', { setName: 'rs0', hosts: ['a:1', 'b:1', 'c:1'], arbiters: ['d:1', 'e:1'] }],
  ['sharded', { msg: 'isdbgrid' }],
])('the topology is said in words: %s', (topology, hello) => {
  expect(toServerInfo({ ...nothing, hello }, false).topology).toBe(topology)
})
