import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run, type SpecInput, violatedChecks } from '../../../src/entries/index.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedPrimary } from '../support/shared-servers.ts'

const server = sharedPrimary()
const file = 'fixtures/specs/tpc-c/schemas.json'

const numbers = [1, '2orders', '2newOrders', 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const conditions = numbers.map((number) => `condition${number}`).toSorted()

const transactions = ['newOrder', 'payment', 'orderStatus', 'delivery', 'stockLevel']

test('the five transactions run in both schemas, and the twelve conditions hold', async () => {
  const { variants } = await run(file, { profile: 'smoke', uri: server.uri })
  expect(variants).toHaveLength(2)
  for (const { status, checks, phases } of variants) {
    expect(status).toBe('done')
    expect(checks.map((check) => [check.name, check.status]).toSorted()).toEqual(
      conditions.map((name) => [name, 'held']),
    )
    const operations = phases[0]?.operations ?? []
    expect(operations.map(({ name }) => name)).toEqual(transactions)
    expect(operations.filter(({ failed, unknown }) => failed + unknown > 0)).toEqual([])
    const committed = operations.filter(({ ok }) => ok > 0).map(({ name }) => name)
    expect(committed).toEqual(expect.arrayContaining(['newOrder', 'payment']))
  }
})

test('terminals pause for keying and think times between their transactions, and the conditions hold', async () => {
  const set = { thinkTimes: 0.02, warehouses: 1, seconds: 3 }
  const { variants } = await run(file, { profile: 'smoke', set, uri: server.uri })
  expect(variants).toHaveLength(2)
  for (const { checks, phases } of variants) {
    const { pauses, workers, operations } = phases[0] ?? fail('no phase')
    expect({ pauses, workers }).toEqual({ pauses: true, workers: 10 })
    expect(operations.filter(({ failed, unknown }) => failed + unknown > 0)).toEqual([])
    // A terminal pauses for 0.42 s on average: ten of them make 71 transactions in three seconds, however fast the server is.
    const made = operations.reduce((sum, { ok }) => sum + ok, 0)
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(110)
    expect(checks.filter(({ status }) => status !== 'held')).toEqual([])
  }
})

const increase = (name: string, collection: string, _id: number, field: string) => ({
  kind: 'updateOne',
  name,
  collection,
  filter: { _id },
  update: { $inc: { [field]: 1 } },
})

test('each condition notices what violates it', async () => {
  const spec = JSON.parse(readFileSync(file, 'utf8')) as { readonly phases: readonly object[] }
  const steps = [
    increase('warehouse', 'WAREHOUSE', 2, 'W_YTD'),
    increase('district', 'DISTRICT', 5, 'D_YTD'),
    increase('next', 'DISTRICT', 0, 'D_NEXT_O_ID'),
    increase('count', 'ORDERS', 5, 'O_OL_CNT'),
    increase('balance', 'CUSTOMER', 3, 'C_BALANCE'),
    {
      kind: 'updateOne',
      name: 'carrier',
      collection: 'ORDERS',
      filter: { _id: 6 },
      update: { $set: { O_CARRIER_ID: null } },
    },
    {
      kind: 'insertOne',
      name: 'gap',
      collection: 'NEW_ORDER',
      document: { _id: 9_999_999, NO_O_ID: 9_999_999, NO_D_ID: 1, NO_W_ID: 1 },
    },
  ]
  const spoil = { name: 'spoil', stopAfter: { operations: 1 }, operations: [{ kind: 'steps', name: 'all', steps }] }
  const spoilt = { ...spec, name: 'spoilt', phases: [...spec.phases, spoil] } as unknown as SpecInput
  const result = await run(spoilt, { profile: 'smoke', set: { seconds: 0.5 }, uri: server.uri })
  const violated = violatedChecks(result).map(({ check }) => check.name)
  expect(violated.toSorted()).toEqual(conditions.flatMap((name) => [name, name]))
})
