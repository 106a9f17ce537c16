import { mkdir, readFile, writeFile } from 'node:fs/promises'
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

const ofId = { v: 2, key: { _id: 1 }, name: '_id_' }
const onlyId = JSON.stringify({ options: {}, indexes: [ofId] })

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
  // What was measured agrees with what was counted.
  type Measured = {
    readonly work: { readonly today: number; readonly advised: number }
    readonly p50: { readonly ratio: number }
  }
  const saved: readonly Measured[] = collections[0].operations.filter(
    ({ work, p50 }: Measured) => p50 !== null && work.advised < work.today / 10,
  )
  expect(saved.length).toBeGreaterThan(0)
  type Created = { readonly serverCpu: { readonly ratio: number } | null }
  expect(collections[0].create.filter(({ serverCpu }: Created) => serverCpu === null || serverCpu.ratio > 0.8)).toEqual(
    [],
  )
  expect(saved.filter(({ p50 }) => p50.ratio > 0.8)).toEqual([])
  expect(place.servers()).toEqual([])
})

test('an index that another one begins with goes, and the reads that could use it are measured without it', async () => {
  await using context = await startContext()
  await using target = await startTarget(targetSpec.parse({ kind: 'standalone' }), context)
  await using place = await workplace(target)
  await using client = new MongoClient(target.uri)
  const dump = path.join(place.folder, 'dump', 'shop')
  await mkdir(dump, { recursive: true })
  const documents = Array.from({ length: 5000 }, (_, _id) => ({ _id, customer: _id % 500, at: new Date(_id * 7919) }))
  await client.db('shop').collection<{ _id: number }>('orders').insertMany(documents)
  await writeFile(path.join(dump, 'orders.bson'), asBson(documents))
  const indexes = [
    ofId,
    { v: 2, key: { customer: 1 }, name: 'customer_1' },
    { v: 2, key: { customer: 1, at: -1 }, name: 'customer_1_at_-1' },
  ]
  await writeFile(path.join(dump, 'orders.metadata.json'), JSON.stringify({ options: {}, indexes }))
  const { says, stop, ended } = place.begin(['record', '--to', target.uri, '--listen', '127.0.0.1:0', '-o', 'a.mprec'])
  const [, listener = ''] = /(\S+) leads to/.exec(await says('leads to')) ?? []
  await using through = new MongoClient(`mongodb://${listener}/?directConnection=true`)
  const orders = through.db('shop').collection('orders')
  for (let customer = 0; customer < 100; customer++) {
    await orders.find({ customer }).sort({ at: -1 }).toArray()
    await orders.insertOne({ customer, at: new Date() })
  }
  await through.close()
  stop()
  await ended
  const { stdout } = await place.run(['advise', 'a.mprec', '--data', 'dump', '--budget', '12s', '--format', 'text'])
  // A busy machine may say that it is slower, which must not drop it.
  const isSlower = /- keep \{ customer: 1 \}: without it, the p50 of find \S+ sort \S+\s+was\s+measured\s+as\s+\d/.test(
    stdout,
  )
  const drop =
    /- drop \{ customer: 1 \}: \{ customer: 1, at: -1 \} begins with it, and no operation\s+does[^-]+whether\s+reads\s+are\s+slower\s+without\s+it:\s+(?:no|cannot|all)/
  expect([isSlower, drop.test(stdout)].filter(Boolean)).toHaveLength(1)
  expect(stdout.includes('hideIndex("customer_1")')).toBe(!isSlower)
  expect(stdout).toMatch(/keep \{ customer: 1, at: -1 \}: without it, find \{customer\} sort \{at\}\s+does/)
  expect(stdout).toMatch(/measured: with this advice, the server's CPU per write is \d/)
  // Reads ask for what was recorded: the data have 500 customers.
  const spec = await readFile(path.join(place.folder, 'mongo-perf-results', 'a-advise', 'reads', 'spec.json'), 'utf8')
  const { values } = JSON.parse(spec).phases[0].operations[0].filter['@choice']
  expect(values).toHaveLength(100)
  expect(values.filter(({ customer }: { readonly customer: number }) => customer >= 100)).toEqual([])
  expect(place.servers()).toEqual([])
})
