import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { lookOften } from '../../../bench/start/mongod.ts'
import { loadSpec, report, run } from '../../../src/entries/index.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { type RunningTarget } from '../../../src/servers/targets/target.ts'
import { whyNoLimits } from '../../contract/support/limits-here.ts'
import { startContext, type TestContext } from '../../contract/support/start-context.ts'

let context: TestContext
let target: RunningTarget

beforeAll(async () => {
  context = await startContext()
  target = await startTarget(
    targetSpec.parse({ kind: 'replicaSet', members: 3, server: { setParameters: lookOften } }),
    context,
  )
})

afterAll(async () => {
  await target[Symbol.asyncDispose]()
  await context[Symbol.asyncDispose]()
})

const noLimits = await whyNoLimits()

type Small = {
  readonly set: Readonly<Record<string, number | readonly number[]>>
  readonly only?: readonly string[]
  readonly repeat?: number
  /** Its rows differ in their servers, so each has to start its own. */
  readonly ownServers?: boolean
}

/** Sizes at which each runs in seconds; what they do stays the same. */
const specs: Readonly<Record<string, Small>> = {
  'hot-document': { set: { documents: 500, updates: 300 }, only: ['workers=20'] },
  'insert-disk': {
    set: { documents: 200, documentsPerCall: 100, workers: 2 },
    // Where no limits can be set, one row shows the rest of it on a server without.
    ...(noLimits === undefined ? { ownServers: true } : { only: ['PROVISIONED (200GB@1500IOPS)'] }),
  },
  'insert-indexes': { set: { preload: 200, documents: 400, documentsPerCall: 100, counts: [0, 4] } },
  'insert-key-type': { set: { preload: 400, documents: 800, documentsPerCall: 100 } },
  'query-types': { set: { documents: 4000, cachedRows: 200, cachedGroups: 2, workers: 8, seconds: 0.3 } },
  // One second would be a single point, of which no chart is drawn.
  quickstart: { set: { documents: 500, customers: 50, seconds: 2 } },
  'replica-set': { set: { documents: 128, documentsPerCall: 32 }, only: ['w=REPLICA_SAFE (2)'] },
  'update-api': { set: { documents: 400, operations: 400 }, only: ['percentNew=50'] },
  'update-complexity': { set: { documents: 400, cachedRows: 100, seconds: 0.5 } },
  'write-concern-modes': { set: { inserts: 3 }, repeat: 2 },
}

test.each(Object.entries(specs))(
  '%s runs, and its report has every table',
  async (name, { ownServers = false, ...small }) => {
    const file = `fixtures/language/${name}.json`
    const { rows } = await loadSpec(file, { set: { ...small.set }, only: small.only })
    const where = ownServers ? { mongod: inject('mongodPath') } : { uri: target.uri }
    const result = await run(file, { ...small, set: { ...small.set }, ...where })
    const { markdown, charts } = report(result)
    expect(result.status).toBe('done')
    expect(new Set(result.variants.map(({ row }) => row)).size).toBe(rows.length)
    for (const { phases } of result.variants)
      for (const { operations } of phases)
        for (const operation of operations) expect(operation).toMatchObject({ failed: 0, unknown: 0 })
    const asked = rows[0]?.spec.report
    for (const { title } of asked?.tables ?? []) expect(markdown).toContain(title)
    // A chart of a group of rows is left out when none of them belongs to it this time.
    expect(charts.length).toBeGreaterThanOrEqual(Math.min(1, asked?.charts?.length ?? 0))
    expect(markdown).not.toMatch(/undefined|NaN|\{\{/)
  },
  180_000,
)
