import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '../support/program.ts'

const customer = { '@int': { min: 0, max: 99 } }
const load = { kind: 'closed', workers: 2 }
const shop = {
  name: 'shop',
  target: { kind: 'replicaSet', members: 1 },
  data: [
    {
      collection: 'orders',
      rows: 2000,
      document: { customer, total: { '@int': { min: 1, max: 900 } } },
      indexes: [{ key: { total: 1 } }],
    },
    { collection: 'items', rows: 500, document: { sku: { '@row': {} } } },
  ],
  phases: [
    {
      name: 'fill',
      measured: false,
      load,
      stopAfter: { operations: 9 },
      operations: [{ kind: 'find', collection: 'items', filter: { sku: 1 } }],
    },
    {
      name: 'mix',
      load,
      stopAfter: { seconds: 5 },
      operations: [
        { kind: 'find', collection: 'orders', weight: 3, filter: { customer }, sort: { total: -1 } },
        {
          kind: 'transaction',
          steps: [
            { kind: 'findOne', collection: 'items', filter: { sku: { '@int': { min: 0, max: 499 } } } },
            { kind: 'insertOne', collection: 'orders' },
          ],
        },
        {
          kind: 'bulkWrite',
          collection: 'orders',
          operations: [
            { updateOne: { filter: { total: { '@int': { min: 1, max: 900 } } }, update: { $set: { customer } } } },
          ],
        },
      ],
    },
  ],
}

test('the operations of a spec get advice on its own data, also those of transactions and bulk writes', async () => {
  await using place = await workplace()
  await writeFile(path.join(place.folder, 'shop.json'), JSON.stringify(shop))
  const asked = ['advise', 'shop.json', '--count-only', '--format', 'json'] as const
  const { code, stdout, stderr } = await place.run(asked)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { database, collections, calls } = JSON.parse(stdout)
  expect(database).toBe('mongoperf_shop')
  expect(collections).toMatchObject([
    {
      collection: 'orders',
      documents: 2000,
      create: [{ key: { customer: 1, total: -1 } }],
      drop: [],
      keep: [{ name: 'total_1', because: expect.stringContaining('updateOne {total}') }],
    },
    { collection: 'items', create: [{ key: { sku: 1 } }], operations: [{ name: 'findOne {sku}' }] },
  ])
  const counts = collections.flatMap(
    (one: { readonly operations: readonly { readonly calls: number }[] }) => one.operations,
  )
  const [finds, ...others] = counts
    .map((one: { readonly calls: number }) => one.calls)
    .toSorted((a: number, b: number) => b - a)
  // Weights of 3, 1 and 1, in 1000 operations, of which a transaction makes two calls.
  expect(finds).toBeGreaterThan(500)
  expect(finds).toBeLessThan(700)
  expect(others).toHaveLength(2)
  expect(calls).toBeGreaterThan(1100)
  expect(calls).toBeLessThan(1300)
  // The seed draws the same ones again.
  const again = JSON.parse((await place.run(asked)).stdout)
  const works = (of: typeof collections): unknown =>
    of.map(({ work, operations }: typeof again) => ({ work, operations }))
  expect(works(again.collections)).toEqual(works(collections))
  expect(place.servers()).toEqual([])
})

test('a spec of a collection that exists needs a dump of it, and none is tried on a server', async () => {
  await using place = await workplace()
  const operations = [{ kind: 'find', filter: { customer: { '@sample': { path: 'customer' } } } }]
  const spec = {
    name: 'own',
    target: { kind: 'existing' },
    data: [{ existing: 'shop.orders' }],
    phases: [{ name: 'mix', load, stopAfter: { seconds: 5 }, operations }],
  }
  await writeFile(path.join(place.folder, 'own.json'), JSON.stringify(spec))
  expect(await place.run(['advise', 'own.json'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/own\.json uses shop\.orders, which is on your server[^]*--data dump\//),
  })
  expect(await place.run(['advise', 'own.json', '--uri', 'mongodb://127.0.0.1:1/'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tried on a copy'),
  })
  expect(place.servers()).toEqual([])
})
