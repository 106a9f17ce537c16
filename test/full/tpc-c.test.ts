import { type Document, MongoClient } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { loadSpec, run } from '../../src/entries/index.ts'
import { type Result, type VariantResult } from '../../src/results/schema.ts'
import { startTarget, targetSpec } from '../../src/servers/targets/index.ts'
import { routerHere, whyNoRouter } from '../contract/support/router-here.ts'
import { sharedPrimary } from '../contract/support/shared-servers.ts'
import { startContext } from '../contract/support/start-context.ts'
import { fail } from '../fakes/fail.ts'

const maxMs = 600_000
const file = 'fixtures/specs/tpc-c/schemas.json'
const plain = sharedPrimary()

/** New-Orders and payments were committed, and no transaction failed. */
function expectCommits({ variants }: Result): readonly VariantResult[] {
  for (const { status, phases } of variants) {
    expect(status).toBe('done')
    const operations = phases[0]?.operations ?? []
    expect(operations.filter(({ failed, unknown }) => failed + unknown > 0)).toEqual([])
    for (const name of ['newOrder', 'payment'])
      expect(operations.find((operation) => operation.name === name)?.ok).toBeGreaterThan(0)
  }
  return variants
}

test(
  'TPC-C runs on a set of three, and its conditions hold',
  async () => {
    const variants = expectCommits(await run(file, { profile: 'smoke', set: { members: 3, seconds: 3 } }))
    expect(variants).toHaveLength(2)
    for (const { checks, phases } of variants) {
      expect(phases[0]?.members).toHaveLength(3)
      expect(checks.flatMap(({ name, status }) => (status === 'held' ? [] : name))).toEqual([])
      expect(checks).toHaveLength(13)
    }
  },
  maxMs,
)

type Query = { readonly name: string; readonly collection: string; readonly pipeline: Document[] }

describe.skipIf(routerHere === undefined)(`TPC-C on shards${whyNoRouter}`, () => {
  test.each(['embedded', 'normalized'])(
    'each shard has its warehouses, payments span both, and the conditions hold, %s',
    async (schema) => {
      const path = routerHere ?? fail('no router')
      const mongos = async () => ({ path, version: '', source: 'test', tried: [] })
      await using context = await startContext({ mongos })
      await using cluster = await startTarget(targetSpec.parse({ kind: 'sharded', shards: 2 }), context)
      await using client = new MongoClient(cluster.uri)
      await client.db('admin').command({ balancerStop: 1 })
      const options = {
        profile: 'smoke',
        set: { shards: 2, warehouses: 2, seconds: 8 },
        only: [`schema=${schema}`],
      }
      const [{ sharding } = fail('no row')] = expectCommits(await run(file, { ...options, uri: cluster.uri }))
      const { collections = [] } = sharding ?? {}
      const [items, ...others] = collections
      // Items are the same for all warehouses: they stay on one shard, where the transactions of the others read them.
      expect(items).toMatchObject({ collection: 'ITEM', key: null })
      const placed = others.map(({ shards }) => shards.map(({ chunks, documents }) => [chunks, documents > 0]))
      expect(placed).toEqual(others.map(() => bothHaveOne))

      // The stand-in of a router looks at one shard in the middle of a pipeline: a server that has all documents is asked.
      const db = client.db('mongoperf_tpc_c_schemas')
      const copy = plain.client.db(`copy_of_shards_${schema}`)
      for (const { collection } of collections)
        await copy.collection(collection).insertMany(await db.collection(collection).find().toArray())
      const remote = { $expr: { $ne: ['$H_W_ID', '$H_C_W_ID'] } }
      expect(await copy.collection('HISTORY').countDocuments(remote)).toBeGreaterThan(0)
      const { rows } = await loadSpec(file, options)
      const checks = (rows[0]?.spec.checks ?? []) as unknown as readonly Query[]
      expect(checks).toHaveLength(13)
      for (const { name, collection, pipeline } of checks)
        expect([name, await copy.collection(collection).aggregate(pipeline).toArray()]).toEqual([name, []])
      await copy.dropDatabase()
    },
    maxMs,
  )
})

const bothHaveOne = [
  [1, true],
  [1, true],
]
