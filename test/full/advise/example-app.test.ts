import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Document } from 'bson'
import { MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { asBson } from '../../../bench/dumps.ts'
// @ts-expect-error The example is JavaScript.
import { fill } from '../../../fixtures/example-app/src/fill.js'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { workplace } from '../../contract/support/program.ts'
import { startContext } from '../../contract/support/start-context.ts'

const onlyId = JSON.stringify({ options: {}, indexes: [{ v: 2, key: { _id: 1 }, name: '_id_' }] })

test('the traffic of the example app gets back the two indexes that it lacks, with what its writes pay', async () => {
  await using context = await startContext()
  await using target = await startTarget(targetSpec.parse({ kind: 'standalone' }), context)
  await using place = await workplace(target)
  await using client = new MongoClient(target.uri)
  const shop = client.db('shop')
  await fill(shop)
  const dump = path.join(place.folder, 'dump', 'shop')
  await mkdir(dump, { recursive: true })
  for (const name of ['orders', 'customers']) {
    const documents: readonly Document[] = await shop.collection(name).find({}, { promoteValues: false }).toArray()
    await writeFile(path.join(dump, `${name}.bson`), asBson(documents))
    await writeFile(path.join(dump, `${name}.metadata.json`), onlyId)
  }
  const { says, stop, ended } = place.begin(['record', '--to', target.uri, '--listen', '127.0.0.1:0', '-o', 'a.mprec'])
  const [, listener = ''] = /(\S+) leads to/.exec(await says('leads to')) ?? []
  await using through = new MongoClient(`mongodb://${listener}/?directConnection=true`)
  const orders = through.db('shop').collection<{ customer: number; placedAt: Date; status: string }>('orders')
  for (let customer = 0; customer < 100; customer++) {
    await orders.find({ customer }).toArray()
    await orders.find().sort({ placedAt: -1 }).limit(20).toArray()
    const { insertedId } = await orders.insertOne({ customer, placedAt: new Date(), status: 'placed' })
    await orders.updateOne({ _id: insertedId }, { $set: { status: 'sent' } })
  }
  await through.close()
  stop()
  await ended
  const { stdout } = await place.run(['advise', 'a.mprec', '--data', 'dump', '--budget', '12s', '--format', 'json'])
  const { collections } = JSON.parse(stdout)
  expect(collections).toMatchObject([{ collection: 'orders', serverCpuOfWrites: { ratio: expect.any(Number) } }])
  expect(collections[0].create.map(({ key }: { readonly key: object }) => key)).toEqual(
    expect.arrayContaining([{ customer: 1 }, { placedAt: -1 }]),
  )
  expect(collections[0].create).toHaveLength(2)
  expect(place.servers()).toEqual([])
})
