import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
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
        // Made-up data come with an index on each field that is asked for: those of a replay, and not of the application.
        create: [{ key: { customer: 1, at: -1 } }],
        drop: [],
        keep: [],
        work: { today: 40 * (500 + 25) },
        operations: [{ name: 'find {customer} sort {at}', calls: 40, p50: null }],
      },
    ],
    missing: [],
    serverCpu: null,
  })
  await writeFile(path.join(place.folder, 'old.json'), asked.stdout)
  const again = ['advise', 'a.mprec', '--count-only', '--format', 'text', '--fail-on', 'create', '--verify']
  const verified = await place.run([...again, 'old.json'])
  expect(verified.code).toBe(0)
  expect(verified.stdout).toMatch(/old\.json creates 1: 1 worth it\. This traffic\s+needs no other\./)
  expect(verified.stdout).toContain('create { customer: 1, at: -1 } (as in old.json): saves')
  await writeFile(path.join(place.folder, 'none.json'), '{"collections":[]}')
  expect(await place.run([...again, 'none.json'])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/none\.json creates 0: 0 worth it\. This traffic\s+needs 1 that is not in it\./),
  })
  await writeFile(path.join(place.folder, 'other.json'), asked.stdout.replace('"at": -1', '"nothing": 1'))
  expect(await place.run([...again, 'other.json'])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/not worth it: .*nothing.*\(as in\s+other\.json\)/),
  })
  expect(await place.run([...again, 'a.mprec'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a.mprec is not an advice'),
  })
  // The values of calls are those of the application's data.
  expect(asked.stdout).not.toContain('"examples"')
  expect((await orders.listIndexes().toArray()).map(({ name }) => String(name))).toEqual(['_id_'])
  expect(await readdir(place.folder)).not.toContain('mongo-perf-results')
})
