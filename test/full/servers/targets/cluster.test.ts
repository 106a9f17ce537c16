import { MongoClient } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { lookOften } from '../../../../bench/start/mongod.ts'
import { run } from '../../../../src/entries/index.ts'
import { report } from '../../../../src/entries/report.ts'
import { valueOf } from '../../../../src/entries/results.ts'
import { ofOneSnapshot } from '../../../../src/servers/checks/reads.ts'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import { routerHere, whyNoRouter } from '../../../contract/support/router-here.ts'
import { startContext } from '../../../contract/support/start-context.ts'
import { fail } from '../../../fakes/fail.ts'

const maxMs = 300_000

/** Two shards, one of two members, and collections that say different things, or nothing, about the balancer. */
const spec = {
  name: 'on-shards',
  target: {
    kind: 'sharded',
    router: { binary: routerHere },
    chunkSizeMB: 4,
    server: { setParameters: lookOften },
    configServer: { oplogMB: 100 },
    shards: [{ members: [{}, { priority: 0 }], links: [{ from: [0], to: [1], rttMs: 2 }] }, {}],
  },
  data: [
    {
      collection: 'accounts',
      rows: 400,
      document: { _id: { '@row': {} }, n: { '@row': {} }, balance: 5 },
      indexes: [{ key: { n: 1 }, unique: true }, { key: { balance: 1 } }],
      options: { validator: { balance: { $gte: 0 } } },
      sharding: { key: { n: 1 }, splitAt: [{ n: 200 }], chunksTo: [0, 1], balancer: false },
    },
    { collection: 'events', document: { _id: { '@uuid': {} } }, sharding: { key: { _id: 'hashed' } } },
  ],
  phases: [
    {
      name: 'work',
      settle: true,
      load: { kind: 'closed', workers: 4 },
      stopAfter: { seconds: 3 },
      faults: [
        {
          kind: 'partition',
          links: [{ from: ['shard0/member0'], to: ['shard0/member1'] }],
          how: 'stall',
          atSeconds: 0.5,
          forSeconds: 1,
        },
      ],
      operations: [
        {
          kind: 'updateOne',
          let: { n: { '@pickRow': { of: 'accounts', distribution: 'uniform' } } },
          collection: 'accounts',
          filter: { n: { '@var': 'n' } },
          update: { $inc: { balance: 1 } },
        },
        { kind: 'insertMany', collection: 'events', documentsPerCall: 8, ordered: false },
      ],
    },
  ],
} as const

describe.skipIf(routerHere === undefined)(`a sharded cluster${whyNoRouter}`, () => {
  test(
    'is set up, measured, cut and described as a whole',
    async () => {
      const result = await run(spec as unknown as Parameters<typeof run>[0])
      const [variant = fail('no row')] = result.variants
      const { phases, sharding, server } = variant
      const commands = variant.commands.map((line) => line.replaceAll('\\"', '"'))
      const [phase = fail('no phase')] = phases
      expect(result.status).toBe('done')
      expect(phase.operations.map(({ failed }) => failed)).toEqual([0, 0])

      // One decision about the balancer, whatever the last collection says.
      expect(sharding?.balancing).toBe(false)
      const [accounts = fail('no collection'), events = fail('no collection')] = sharding?.collections ?? []
      expect(accounts.key).toEqual({ n: 1 })
      expect(accounts.shards).toMatchObject([
        { shard: 'shard0', documents: 200, chunks: 1 },
        { shard: 'shard1', documents: 200, chunks: 1 },
      ])
      expect(events.key).toEqual({ _id: 'hashed' })
      expect(Object.values(sharding?.writes ?? {}).every((writes) => (writes ?? 0) > 0)).toBe(true)

      expect(server?.cluster).toEqual({
        shards: [
          { name: 'shard0', members: 2 },
          { name: 'shard1', members: 1 },
        ],
        routers: 1,
        configServers: 1,
      })
      expect(server).toMatchObject({ storageEngine: 'wiredTiger', cacheMB: 256 })
      expect(server?.links?.pairs).toMatchObject([{ from: 'shard0/member0', to: 'shard0/member1', rttMs: 2 }])
      expect(phase.members.map(({ member, role }) => `${member} ${role}`)).toEqual([
        'shard0/member0 primary',
        'shard0/member1 secondary',
        'shard1/member0 primary',
        'router0 router',
        'config/member0 config',
      ])
      expect(valueOf(result, 'work.serverCpuPercent')).toBeGreaterThan(0)
      expect(valueOf(result, 'work.chunkMigrations')).toBe(0)

      expect(phase.faults).toMatchObject([
        { name: 'partition', occurrences: [{ targets: ['shard0/member0', 'shard0/member1'], error: null }] },
      ])
      const order = [
        '"create":"accounts"',
        '"unique":true',
        '"shardCollection":"mongoperf_on_shards.accounts"',
        '"balance":1',
      ]
      const places = order.map((part) => commands.findIndex((line) => line.includes(part)))
      expect(places.every((place, i) => place > (places[i - 1] ?? -1))).toBe(true)
      expect(commands.find((line) => line.includes('"create":"accounts"'))).toContain(
        '"validator":{"balance":{"$gte":0}}',
      )
      expect(commands.some((line) => line.includes('"chunksize"'))).toBe(true)

      const { markdown } = report(result)
      for (const part of ['### Shards', 'Shard keys']) expect(markdown).toContain(part)
      expect(markdown.replace(/\d+(?= commands)/, 'N')).toHaveLine('set-up-summary', { commands: 'N' })
    },
    maxMs,
  )

  test(
    'is read at one time that is not before an acknowledged write, whichever router reads',
    async () => {
      const path = routerHere ?? fail('no router')
      await using context = await startContext({
        mongos: async () => ({ path, version: '', source: 'test', tried: [] }),
      })
      const target = { kind: 'sharded', shards: [{}, {}], routers: 2 }
      await using cluster = await startTarget(targetSpec.parse(target), context)
      const [writer = fail('no router')] = new MongoClient(cluster.uri).options.hosts
      await using reading = new MongoClient(cluster.uri)
      await using writing = new MongoClient(`mongodb://${writer.toString()}/`)
      const admin = writing.db('admin')
      await admin.command({ enableSharding: 'shop' })
      await admin.command({ shardCollection: 'shop.orders', key: { _id: 'hashed' } })
      const orders = writing.db('shop').collection<{ _id: number }>('orders')
      const db = reading.db('shop')
      const reads = { db, signal: new AbortController().signal, collections: [db.collection('orders')] }
      for (let written = 1; written <= 200; written++) {
        await orders.insertOne({ _id: written }, { writeConcern: { w: 'majority' } })
        const seen = await ofOneSnapshot(reads, (options) => db.collection('orders').find({}, options).toArray())
        expect(seen).toHaveLength(written)
      }
    },
    maxMs,
  )
})
