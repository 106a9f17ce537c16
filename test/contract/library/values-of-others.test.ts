import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const specOn = (engine: 'driver' | 'wire', threads: number) => ({
  name: `values-of-others-${engine}-${threads}`,
  seed: 7,
  target: { kind: 'existing' },
  engine,
  data: [
    {
      collection: 'customers',
      rows: 50,
      document: { _id: { '@objectId': {} }, city: { '@oneOf': { words: 'cities.ja', distribution: 'zipfian' } } },
    },
    {
      collection: 'orders',
      rows: 200,
      let: { at: { '@date': {} }, size: { '@int': { min: 0, max: 5 } } },
      document: {
        _id: { '@row': {} },
        customer: { '@ref': { collection: 'customers', distribution: 'zipfian' } },
        paid: { '@date': { min: { '@var': 'at' }, max: { '@add': [{ '@var': 'at' }, 1000] } } },
        items: { '@array': { size: { '@var': 'size' }, of: { '@logNormal': { median: 5 } } } },
      },
    },
  ],
  phases: [
    {
      name: 'mix',
      load: { kind: 'closed', workers: 4, threads },
      stopAfter: { operations: 300 },
      operations: [
        {
          kind: 'insertOne',
          collection: 'orders',
          let: { id: { '@nextRow': {} } },
          remember: ['id'],
          document: {
            _id: { '@var': 'id' },
            city: { '@ref': { collection: 'customers', field: 'city' } },
            score: { '@gaussian': { mean: 5 } },
            before: { '@remembered': { name: 'id' } },
          },
        },
        {
          kind: 'findOne',
          collection: 'orders',
          filter: { customer: { '@ref': { collection: 'customers' } } },
        },
        {
          kind: 'updateOne',
          collection: 'customers',
          filter: { _id: { '@ref': { collection: 'customers' } } },
          update: { $inc: { orders: 1 } },
        },
      ],
    },
  ],
})

test('both engines, with any number of threads, send the same values, and leave the same documents', async () => {
  const made: unknown[] = []
  for (const spec of [specOn('driver', 1), specOn('wire', 1), specOn('wire', 2)]) {
    const { variants } = await run(spec as SpecInput, { uri: server.uri })
    const [phase] = variants[0]?.phases ?? []
    const db = server.client.db(`mongoperf_${spec.name.replaceAll('-', '_')}`)
    const { collections } = await db.command({ dbHash: 1, collections: ['orders', 'customers'] })
    const errors = phase?.operations.flatMap((operation) => operation.errors)
    made.push({ digest: phase?.digest, errors, collections: collections as unknown })
  }
  expect(made[1]).toEqual(made[0])
  expect(made[2]).toEqual(made[0])
  expect(made[0]).toMatchObject({ errors: [], digest: expect.any(String) as unknown })
})
