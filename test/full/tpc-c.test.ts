import { describe, expect, test } from 'vitest'
import { run } from '../../src/entries/index.ts'
import { type VariantResult } from '../../src/results/schema.ts'
import { routerHere, whyNoRouter } from '../contract/support/router-here.ts'
import { fail } from '../fakes/fail.ts'

const maxMs = 600_000
const file = 'fixtures/specs/tpc-c/schemas.json'

/** Runs both schemas for a few seconds. All transactions must end, and all of the conditions hold. */
async function runBoth(set: Readonly<Record<string, number>>, env = process.env): Promise<readonly VariantResult[]> {
  const { variants } = await run(file, { profile: 'smoke', set: { seconds: 3, ...set }, env })
  expect(variants.map(({ status }) => status)).toEqual(['done', 'done'])
  for (const { checks, phases } of variants) {
    expect(checks.flatMap(({ name, status }) => (status === 'held' ? [] : [[name, status]]))).toEqual([])
    expect(checks).toHaveLength(13)
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
    const variants = await runBoth({ members: 3 })
    for (const { phases } of variants) expect(phases[0]?.members).toHaveLength(3)
  },
  maxMs,
)

describe.skipIf(routerHere === undefined)(`TPC-C on shards${whyNoRouter}`, () => {
  test(
    'each shard has its warehouses, transactions span both, and the conditions hold',
    async () => {
      const variants = await runBoth({ shards: 2, warehouses: 2 }, { ...process.env, MONGO_PERF_MONGOS: routerHere })
      for (const { sharding } of variants) {
        const { collections = [], writes = {} } = sharding ?? {}
        const items = collections.find(({ collection }) => collection === 'ITEM') ?? fail('no items')
        expect(items.key).toBeNull()
        // Items are the same for all warehouses: they stay on one shard, and orders of the other one read them there.
        for (const { collection, shards } of collections.filter((one) => one !== items)) {
          expect([collection, shards.map(({ chunks }) => chunks)]).toEqual([collection, [1, 1]])
          expect(shards.every(({ documents }) => documents > 0)).toBe(true)
        }
        expect(Object.values(writes).every((count) => (count ?? 0) > 0)).toBe(true)
      }
    },
    maxMs,
  )
})
