import { readdir } from 'node:fs/promises'
import { MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

test('recorded traffic gets the index that it lacks, and its server stays as it is', async () => {
  await using place = await workplace(server)
  const orders = server.client.db('advised').collection<{ _id: number; customer: number; at: number }>('orders')
  await orders.insertMany(Array.from({ length: 500 }, (_, _id) => ({ _id, customer: _id % 20, at: _id % 77 })))
  const { says, stop, ended } = place.begin(['record', '--listen', '127.0.0.1:0', '-o', 'a.mprec'])
  const [, listener = ''] = /(\S+) leads to/.exec(await says('leads to')) ?? []
  await using client = new MongoClient(`mongodb://${listener}/?directConnection=true`)
  const through = client.db('advised').collection('orders')
  for (let i = 0; i < 40; i++)
    await through
      .find({ customer: i % 20 })
      .sort({ at: -1 })
      .toArray()
  await client.close()
  stop()
  await ended
  const asked = await place.run(['advise', 'a.mprec', '--count-only', '--format', 'json'])
  expect(asked.stderr).not.toContain('error')
  expect(JSON.parse(asked.stdout)).toMatchObject({
    database: 'advised',
    calls: 40,
    collections: [
      {
        collection: 'orders',
        operations: [{ name: 'find {customer} sort {at}', calls: 40, p50: null }],
      },
    ],
    missing: [],
    serverCpu: null,
  })
  // The values of calls are those of the application's data.
  expect(asked.stdout).not.toContain('"examples"')
  expect((await orders.listIndexes().toArray()).map(({ name }) => String(name))).toEqual(['_id_'])
  expect(await readdir(place.folder)).not.toContain('mongo-perf-results')
})
