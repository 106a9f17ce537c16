import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

test('a spec of a recording has its shapes by their frequency, at its rate, and can be checked', async () => {
  await using place = await workplace(server)
  const orders = server.client.db('recorded').collection<{ _id: number; customer: number; status: string }>('orders')
  await orders.insertMany(Array.from({ length: 200 }, (_, _id) => ({ _id, customer: _id % 20, status: 'open' })))
  const { says, stop, ended } = place.begin(['record', '--listen', '127.0.0.1:0', '-o', 'a.mprec'])
  const [, listener = ''] = /(\S+) leads to/.exec(await says('leads to')) ?? []
  await using client = new MongoClient(`mongodb://${listener}/?directConnection=true`)
  const through = client.db('recorded').collection<{ _id: number }>('orders')
  for (let i = 0; i < 30; i++) await through.find({ customer: i % 20 } as object).toArray()
  for (let i = 0; i < 10; i++) await through.updateOne({ _id: i }, { $set: { status: 'paid' } } as object)
  // Half of them ask for one order.
  for (let i = 0; i < 300; i++) await through.findOne({ _id: i % 2 === 0 ? 7 : i % 200 })
  await client.close()
  stop()
  await ended
  const { code, stderr } = await place.run(['init', 'a.json', '--from-recording', 'a.mprec'])
  expect(stderr).toContain('written to a.json')
  expect(code).toBe(0)
  const spec = JSON.parse(await readFile(path.join(place.folder, 'a.json'), 'utf8'))
  expect(spec).toMatchObject({
    name: 'recorded-recording',
    parameters: { ratePerSecond: expect.any(Number) },
    phases: [
      {
        load: { kind: 'open' },
        operations: [
          {
            kind: 'findOne',
            weight: 300,
            filter: { _id: { '@key': { distribution: { kind: 'hotspot', hotSet: 0.005, hotTraffic: 0.5 } } } },
          },
          { kind: 'find', weight: 30 },
          { kind: 'updateOne', weight: 10 },
        ],
      },
    ],
  })
  expect((await place.run(['check', 'a.json'])).code).toBe(0)
})
