import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Document, serialize } from 'bson'
import { GridFSBucket, MongoClient, ObjectId, ReadConcern } from 'mongodb'
import { expect, test } from 'vitest'
import { type Result } from '../../../src/results/schema.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { workplace } from '../../contract/support/program.ts'
import { startContext } from '../../contract/support/start-context.ts'
import { readAll } from '../../traffic/calls.ts'

type Numbered = { _id: number; clerk?: number; total?: number; replaced?: number; balance?: number; text?: string }

const clerks = [0, 1, 2, 3]
const rounds = 40
const ordersOfClerk = 200

/** The data that the application begins with: each clerk has orders and accounts of their own, so that no two race. */
async function restore(client: MongoClient): Promise<void> {
  const shop = client.db('shop')
  await shop.dropDatabase()
  const orders = clerks.flatMap((clerk) =>
    Array.from({ length: ordersOfClerk }, (_, i) => ({ _id: clerk * 1e6 + i, clerk, total: i, text: 'x'.repeat(200) })),
  )
  await shop.collection<Numbered>('orders').insertMany(orders)
  await shop.collection('orders').createIndex({ clerk: 1, total: 1 })
  // Otherwise clerks race to create them.
  await shop.collection('fs.files').createIndex({ filename: 1, uploadDate: 1 })
  await shop.collection('fs.chunks').createIndex({ files_id: 1, n: 1 }, { unique: true })
  const accounts = clerks.flatMap((clerk) => [0, 1].map((n) => ({ _id: clerk * 2 + n, balance: 1000 })))
  await shop.collection<Numbered>('accounts').insertMany(accounts)
}

const digest = (document: Document): string =>
  `${document['_id'] ?? document['key']} ${createHash('sha256').update(serialize(document)).digest('hex')}`

/** Everything that is there, as digests, without ids that the server makes. */
async function snapshot(client: MongoClient): Promise<readonly string[]> {
  const shop = client.db('shop', { readPreference: 'primary', readConcern: new ReadConcern('majority') })
  const read = (name: string) => shop.collection(name).find().sort({ _id: 1 }).toArray()
  const counters = shop.collection('counters').find({}, { projection: { _id: 0 }, sort: { key: 1 } })
  const all = await Promise.all(['orders', 'accounts', 'baskets', 'fs.files', 'fs.chunks'].map(read))
  return [await counters.toArray(), ...all].flat().map(digest)
}

/** A read whose cursor a new primary ends is done again, as applications do. */
async function again<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch {
    await sleep(200)
    return await read()
  }
}

async function work(client: MongoClient, clerk: number, onRound: (round: number) => void): Promise<void> {
  const shop = client.db('shop')
  const orders = shop.collection<Numbered>('orders')
  const accounts = shop.collection<Numbered>('accounts')
  const counters = shop.collection<{ key: string; n: number }>('counters')
  const files = new GridFSBucket(shop)
  for (let round = 0; round < rounds; round++) {
    onRound(round)
    const first = clerk * 1e6 + 1000 + round * 10
    await orders.insertOne({ _id: first, clerk, total: round })
    await orders.insertMany([1, 2, 3].map((n) => ({ _id: first + n, clerk, total: -n })))
    await orders.bulkWrite([
      { insertOne: { document: { _id: first + 4, clerk, total: 0 } } },
      { updateOne: { filter: { _id: first + 1 }, update: { $inc: { total: 100 } } } },
      { replaceOne: { filter: { _id: first + 2 }, replacement: { clerk, replaced: round } } },
      { deleteOne: { filter: { _id: first + 3 } } },
    ])
    await orders.findOneAndUpdate({ _id: first }, { $inc: { total: 1 } }, { returnDocument: 'after' })
    const { upsertedId } = await counters.updateOne(
      { key: `${clerk}-${round % 7}` },
      { $inc: { n: 1 } },
      { upsert: true },
    )
    if (upsertedId !== null) await counters.updateOne({ _id: upsertedId }, { $inc: { n: 1000 } })
    await again(() => orders.find({ clerk }, { batchSize: 40, sort: { total: 1, _id: 1 } }).toArray())
    await again(() =>
      orders.aggregate([{ $match: { clerk } }, { $group: { _id: null, sum: { $sum: '$total' } } }]).toArray(),
    )
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await accounts.updateOne({ _id: clerk * 2 }, { $inc: { balance: -1 } }, { session })
        await accounts.updateOne({ _id: clerk * 2 + 1 }, { $inc: { balance: 1 } }, { session })
        await accounts.find({ _id: { $in: [clerk * 2, clerk * 2 + 1] } }, { session }).toArray()
      }),
    )
    if (round % 10 === 0) await storeFile(files, clerk, round)
  }
}

async function storeFile(files: GridFSBucket, clerk: number, round: number): Promise<void> {
  const id = new ObjectId()
  await new Promise<void>((resolve, reject) =>
    files
      .openUploadStreamWithId(id, `${clerk}-${round}`)
      .on('finish', resolve)
      .on('error', reject)
      .end(Buffer.alloc(600_000, round)),
  )
  const parts = await again(() => files.openDownloadStream(id).toArray())
  expect(Buffer.concat(parts as Buffer[])).toHaveLength(600_000)
}

const call = promisify(execFile)
const script = 'mongoose-shop.mjs'

/** Installs what the part of the application needs that uses mongoose. */
async function installMongoose(folder: string): Promise<void> {
  const manifest = await readFile(new URL('../../../fixtures/example-app/package.json', import.meta.url), 'utf8')
  const [version] = /(?<="mongoose": ")[^"]+/.exec(manifest) ?? []
  // Without one, npm installs into a folder above that has one.
  await writeFile(path.join(folder, 'package.json'), '{}')
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  await call('npm', ['install', `mongoose@${version}`, ...quick], { cwd: folder })
  await cp(new URL(script, import.meta.url), path.join(folder, script))
}

/** The application: its clerks, a part with mongoose, one that watches them, and an election in the middle. */
async function useShop(uri: string, folder: string, elect: () => Promise<void>): Promise<void> {
  await using watcher = new MongoClient(uri)
  const stream = watcher.db('shop').watch([], { maxAwaitTimeMS: 100 })
  let events = 0
  stream.on('change', () => void (events += 1))
  await sleep(500)
  let election: Promise<void> | undefined
  const withMongoose = call('node', [script, uri], { cwd: folder })
  await Promise.all(
    clerks.map(async (clerk) => {
      await using client = new MongoClient(uri, { maxPoolSize: 1, appName: `clerk${clerk}` })
      await work(client, clerk, (round) => {
        if (round === rounds / 2) election ??= elect()
      })
    }),
  )
  await Promise.all([election, withMongoose])
  await stream.close()
  expect(events).toBeGreaterThan(clerks.length * rounds)
}

const sumOf = (result: Result, column: string): number =>
  Number(result.variants[0]?.phases[0]?.columns?.[column] ?? Number.NaN)

test('an application that goes through an election gives the same data and replies when it is replayed on a copy', async () => {
  await using place = await workplace()
  await using context = await startContext()
  const server = { setParameters: { enableTestCommands: 1 } }
  await using target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 3, server }), context)
  await using client = new MongoClient(target.uri, { writeConcern: { w: 'majority' } })
  const admin = client.db('admin')
  await restore(client)
  await installMongoose(place.folder)

  const record = place.begin(['record', '--listen', '127.0.0.1:0', '--to', target.uri, '-o', 'shop.mprec'])
  const [, listener = ''] = /(\S+) leads to/.exec(await record.says('leads to')) ?? []
  const { replicaSet } = client.options
  // The first is not done, and the second is: drivers send both again.
  const failOnce = (appName: string, data: object) =>
    admin.command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data: { appName, ...data } })
  await failOnce('clerk1', { failCommands: ['insert'], closeConnection: true })
  await useShop(`mongodb://${listener}/shop?replicaSet=${replicaSet}`, place.folder, async () => {
    await admin.command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 8 })
    await failOnce('clerk2', {
      failCommands: ['findAndModify'],
      writeConcernError: { code: 91, errmsg: 'of a test' },
      errorLabels: ['RetryableWriteError'],
    })
  })
  record.stop()
  expect((await record.ended).code).toBe(0)
  const after = await snapshot(client)

  const file = path.join(place.folder, 'shop.mprec')
  const { calls, end } = await readAll(file)
  const errors = calls.filter(({ reply }) => reply !== null && reply.code !== 0)
  expect(errors.map(({ name }) => name)).not.toEqual([])
  expect(end?.cutAt).toBeNull()

  for (const speed of ['max', '2']) {
    await restore(client)
    const options = ['--allow-writes', '--compare-documents', '--speed', speed, '--format', 'text']
    const { code, stderr, stdout } = await place.run(['replay', file, '--uri', target.uri, ...options])
    expect({ code, stderr, stdout }).toMatchObject({ code: 0 })
    for (const what of ['change streams and tailable cursors', 'calls that an election ended'])
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(what)
    const result = await place.result('replay-shop')
    const [phase] = result.variants[0]?.phases ?? []
    expect(phase?.operations.flatMap(({ errors: of }) => of)).toEqual([])
    expect(await snapshot(client)).toEqual(after)
    // Only what failed in the recording has another reply here.
    expect(sumOf(result, 'differing')).toBeLessThanOrEqual(errors.length)
  }
})
