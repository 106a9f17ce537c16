import { type MongoClient, MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { warningsOfServer } from '../../../src/load/measure/machine-warnings.ts'
import { type ServerLimits } from '../../../src/results/schema/servers.ts'
import { listUnreported, type ServerReplies, toServerInfo } from '../../../src/servers/resources/server-info.ts'
import { isPlainMongoDB } from '../../../src/servers/resources/server-version.ts'
import { type CoreDivision } from '../../../src/servers/targets/cores/divide-cores.ts'

const nothing: ServerReplies = { hello: null, buildInfo: null, serverStatus: null, hostInfo: null, listShards: null }
const unheld = { limits: null, pinnedCores: null, directIO: false }
const plainServer = { topology: 'standalone', ...unheld, links: null, cluster: null }

test('a server reports its version, engine, cache, cores, memory and system', () => {
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
      listShards: null,
    },
    { startedByUs: true, members: [] },
  )
  expect(info).toEqual({
    ...plainServer,
    version: '6.0.5',
    storageEngine: 'wiredTiger',
    cacheMB: 256,
    cores: 2,
    memoryMB: 4096,
    os: 'Debian GNU/Linux 12 (bookworm), Kernel 6.1.0',
    startedByUs: true,
  })
})

const foreign = { startedByUs: false, members: [] }
const ofUs = (limits: Partial<ServerLimits>) => ({
  startedByUs: true,
  members: [
    { name: 'member0', host: '127.0.0.1:1', limits: null, directIO: false },
    { name: 'member1', host: '127.0.0.1:2', limits: { ...noLimits, ...limits }, directIO: true },
  ],
})
const noLimits = { cpus: null, memoryMB: null, readIops: null, writeIops: null, readMBps: null, writeMBps: null }

test.each([
  [{ version: '7.0.42', ferretdbVersion: 'v1.24.2' }, 'FerretDB 1.24.2 (MongoDB 7.0.42 interface)'],
  [{ version: '7.0.77', ferretdb: { version: 'v2.5.0' } }, 'FerretDB 2.5.0 (MongoDB 7.0.77 interface)'],
  [{ version: '6.0.5-4', psmdbVersion: '6.0.5-4' }, 'Percona Server for MongoDB 6.0.5-4 (MongoDB 6.0.5-4 interface)'],
  [{ version: '7.0.14', ferretdbVersion: null }, '7.0.14'],
  [{ version: 7 }, 'unknown'],
])('a server of another maker is named for what it is: %j is %s', (buildInfo, version) =>
  expect(toServerInfo({ ...nothing, buildInfo }, foreign).version).toBe(version),
)

const onHosts = (host: string) => ({ hosts: ['127.0.0.1', host], buildInfo: { version: '5.0.0' } })
const internal = { documentdb_versions: ['0.117-0', '0.117.0'] }

test.each([
  [{ hello: { msg: 'isdbgrid', internal: { ...internal, kind: '' } } }, 'DocumentDB 0.117-0 (MongoDB 7.0.0 interface)'],
  [
    { hello: { internal: { ...internal, kind: 'azuredocumentdb' } } },
    'Azure DocumentDB 0.117-0 (MongoDB 7.0.0 interface)',
  ],
  [
    { hello: { internal: { cosmos_versions: ['1.104-1', '12.1-1'] } } },
    'Azure Cosmos DB for MongoDB (vCore) 1.104-1 (MongoDB 7.0.0 interface)',
  ],
  [{ hello: { internal: {} } }, '7.0.0'],
  [onHosts('shop.cluster-x1.eu-central-1.docdb.amazonaws.com'), 'Amazon DocumentDB (MongoDB 5.0.0 interface)'],
  [onHosts('shop-1.eu-central-1.docdb-elastic.amazonaws.com'), 'Amazon DocumentDB (MongoDB 5.0.0 interface)'],
  [onHosts('shop.mongo.cosmos.azure.com'), 'Azure Cosmos DB (MongoDB 5.0.0 interface)'],
  [onHosts('shop-shard-00-00.ab1cd.mongodb.net'), '5.0.0 on MongoDB Atlas'],
  [onHosts('mongodb.net.example.com'), '5.0.0'],
])('a service is named by what it answers or where it is: %j is %s', (replies, version) => {
  const info = toServerInfo({ ...nothing, buildInfo: { version: '7.0.0' }, ...replies }, foreign)
  expect(info.version).toBe(version)
  expect(isPlainMongoDB(version)).toBe(/^[\d.]+$/.test(version))
})

const infoOf = (replies: Partial<ServerReplies>) => toServerInfo({ ...nothing, ...replies }, foreign)

test('a server of another kind says once what it does not report, and a MongoDB without roles does not', async () => {
  const refusing = aClient(async () => {
    throw new MongoServerError({ code: 59, codeName: 'CommandNotFound' })
  })
  const answering = aClient(async () => ({ ok: 1, opLatencies: {} }))
  const ferret = infoOf({ buildInfo: { version: '7.0.42', ferretdbVersion: 'v1.24.2' } })
  const atlas = infoOf({ ...onHosts('a.b.mongodb.net'), hostInfo: { system: { numCores: 2 } } })

  const [warning] = warningsOfServer(ferret, await listUnreported(refusing, ferret))
  expect(warning?.message).toSay('server-does-not-report')
  expect(await listUnreported(answering, atlas)).toEqual(['its memory', 'its storage engine', 'its cache'])
  expect(await listUnreported(refusing, infoOf({ buildInfo: { version: '8.0.4' } }))).toEqual([])
  expect(warningsOfServer(ferret, [])).toEqual([])
})

/** A client of a server that answers every command in one way. */
const aClient = (command: () => Promise<object>): MongoClient => ({ db: () => ({ command }) }) as unknown as MongoClient

test('what the server refuses is null', () => {
  const info = toServerInfo({ ...nothing, hello: {}, buildInfo: { version: '8.0.4' } }, foreign)
  const unknown = { storageEngine: null, cacheMB: null, cores: null, memoryMB: null, os: null }
  expect(info).toEqual({ ...plainServer, ...unknown, version: '8.0.4', startedByUs: false })
})

test('older servers know the cores of the host only', () => {
  const hostInfo = { system: { numCores: 8, memSizeMB: 100 } }
  expect(toServerInfo({ ...nothing, hostInfo }, foreign)).toMatchObject({ cores: 8, memoryMB: 100 })
})

test.each([
  ['topology-set', { members: 3 }, { hosts: ['a:1', 'b:1', 'c:1'] }],
  ['topology-set', { members: 3 }, { hosts: ['a:1', 'b:1'], passives: ['c:1'] }],
  ['topology-set-arbiter', { members: 2 }, { hosts: ['a:1', 'b:1'], arbiters: ['c:1'] }],
  ['topology-set-arbiters', { members: 3, arbiters: 2 }, { hosts: ['a:1', 'b:1', 'c:1'], arbiters: ['d:1', 'e:1'] }],
])('the topology as text: %s of %j', (code, data, hello) =>
  expect(toServerInfo({ ...nothing, hello: { setName: 'rs0', ...hello } }, foreign).topology).toSay(code, data),
)

test.each([
  ['topology-cluster-of-one', {}, { shards: [{ _id: 'a' }] }],
  ['topology-cluster', { shards: 2 }, { shards: [{ _id: 'a' }, { _id: 'b' }] }],
  ['topology-cluster-unknown', {}, null],
])('a router reports the number of shards, if it can: %s', (code, data, listShards) =>
  expect(toServerInfo({ ...nothing, hello: { msg: 'isdbgrid' }, listShards }, foreign).topology).toSay(code, data),
)

test('a started server may use what its limits leave of the host, and those of its own', () => {
  const hostInfo = { system: { numCores: 2, memSizeMB: 8192 } }
  const answered = { ...nothing, hello: { setName: 'rs', me: '127.0.0.1:2' }, hostInfo }
  const limits = { ...noLimits, cpus: 0.5, memoryMB: 512 }
  expect(toServerInfo(answered, ofUs(limits))).toMatchObject({
    cores: 0.5,
    memoryMB: 512,
    limits: { ...limits, cpuPeriodMs: 10 },
    directIO: true,
  })
  expect(toServerInfo(answered, ofUs({ readIops: 500 }))).toMatchObject({ cores: 2, memoryMB: 8192 })
  expect(toServerInfo({ ...answered, hostInfo: null }, ofUs(limits))).toMatchObject({ cores: 0.5, memoryMB: 512 })
  const first = { ...answered, hello: { setName: 'rs', me: '127.0.0.1:1' } }
  expect(toServerInfo(first, ofUs(limits))).toMatchObject({ cores: 2, limits: null, directIO: false })
})

test('members that were stopped on purpose are shown with the topology', () => {
  const hello = { setName: 'rs0', hosts: ['a:1', 'b:1'], arbiters: ['c:1'] }
  const info = toServerInfo({ ...nothing, hello }, { startedByUs: true, members: [], stopped: ['member1'] })
  expect(info.topology).toSay('topology-stopped', { members: 2, stopped: 'member1' })
})

test('a member behind a proxy is known by the address that its set has of it', () => {
  const limits = { ...noLimits, cpus: 0.5 }
  const members = [
    { name: 'member0', host: '127.0.0.1:1', hostInSet: '127.0.0.1:11', limits: null, directIO: false },
    { name: 'member1', host: '127.0.0.1:2', hostInSet: '127.0.0.1:12', limits, directIO: true },
  ]
  const hello = { setName: 'rs', me: '127.0.0.1:12' }
  expect(toServerInfo({ ...nothing, hello }, { startedByUs: true, members })).toMatchObject({
    limits: { ...limits, cpuPeriodMs: 10 },
    directIO: true,
  })
})

test('a server that is pinned may use the cores that it is pinned to', () => {
  const answered = { ...nothing, hostInfo: { system: { numCores: 4 } } }
  const pinned = (cores: CoreDivision) => toServerInfo(answered, { startedByUs: true, members: [], cores })
  expect(pinned({ client: [0], servers: [1, 2] })).toMatchObject({
    cores: 2,
    pinnedCores: { client: [0], servers: [1, 2] },
  })
  expect(pinned({ reason: 'there is one core' })).toMatchObject({ cores: 4, pinnedCores: null })
})

const beside = (role: 'router' | 'config') => ({ name: role, host: '', role })

test('a cluster has the storage of a shard, its servers by their number, and the cores of all shards', () => {
  const limits = { ...noLimits, cpus: 0.5 }
  const shards = [
    { _id: 'shard0', host: 'shard0/a:1,b:1,c:1' },
    { _id: 'shard1', host: 'shard1/d:1' },
  ]
  const cache = { 'maximum bytes configured': 2 ** 30 }
  const router = {
    ...nothing,
    hello: { msg: 'isdbgrid' },
    hostInfo: { system: { numCores: 8 } },
    listShards: { shards },
    shardStatus: { storageEngine: { name: 'wiredTiger' }, wiredTiger: { cache } },
  }
  const members = [{ name: 'shard0/member0', host: '127.0.0.1:1', limits, directIO: false }]
  const besides = [beside('router'), beside('config'), beside('config'), beside('config')]
  expect(toServerInfo(router, { startedByUs: true, members, besides })).toMatchObject({
    storageEngine: 'wiredTiger',
    cacheMB: 1024,
    cores: 1,
    cluster: {
      shards: [
        { name: 'shard0', members: 3 },
        { name: 'shard1', members: 1 },
      ],
      routers: 1,
      configServers: 3,
    },
  })
  expect(toServerInfo(router, { startedByUs: false, members: [] }).cluster).toMatchObject({ routers: null })
})
