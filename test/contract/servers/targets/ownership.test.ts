import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTarget, targetSpec } from '../../../../src/servers/targets/index.ts'
import {
  claimCollection,
  claimDatabase,
  dropManagedCollections,
  dropManagedDatabase,
  markerCollection,
} from '../../../../src/servers/targets/ownership.ts'
import { type RunningTarget } from '../../../../src/servers/targets/target.ts'
import { startContext, type TestContext } from '../../support/start-context.ts'

let context: TestContext
let target: RunningTarget
let client: MongoClient
beforeAll(async () => {
  context = await startContext()
  target = await startTarget(targetSpec.parse({ kind: 'standalone' }), context)
  client = new MongoClient(target.uri)
})
afterAll(async () => {
  await client.close()
  await target[Symbol.asyncDispose]()
  await context[Symbol.asyncDispose]()
})

const namesIn = async (database: string): Promise<string[]> =>
  (await client.db(database).listCollections().toArray()).map(({ name }) => name).toSorted()

test('a database that somebody else made is refused and untouched, whatever its name', async () => {
  const foreign = client.db('mongoperf_x')
  await foreign.collection('orders').insertOne({ precious: true })
  await expect(claimDatabase(foreign)).rejects.toMatchObject({ code: 'refused' })
  await expect(claimCollection(foreign, 'ingest')).rejects.toMatchObject({ code: 'refused' })
  await expect(dropManagedCollections(foreign)).rejects.toMatchObject({ code: 'refused' })
  await expect(dropManagedDatabase(foreign)).rejects.toMatchObject({ code: 'refused' })
  expect(await namesIn('mongoperf_x')).toEqual(['orders'])
  expect(await foreign.collection('orders').countDocuments()).toBe(1)
})

test.each(['shop', 'admin', 'mongoperf', 'mongoperf_'])(
  'the database "%s" is never ours',
  async (name) => await expect(claimDatabase(client.db(name))).rejects.toMatchObject({ code: 'refused' }),
)

test('a database of ours can be claimed again, and goes without a trace when dropped', async () => {
  const db = client.db('mongoperf_ours')
  await claimDatabase(db)
  await claimDatabase(db)
  await claimCollection(db, 'ingest')
  await db.collection('ingest').insertOne({})
  await claimCollection(db, 'ingest')
  expect(await namesIn('mongoperf_ours')).toEqual([markerCollection, 'ingest'])
  await dropManagedDatabase(db)
  expect(await namesIn('mongoperf_ours')).toEqual([])
})

test('a database of ours is worked in where the server has dropped the empty list of its marker', async () => {
  const db = client.db('mongoperf_without_list')
  await claimDatabase(db)
  await db.collection(markerCollection).updateOne({}, { $unset: { collections: 1 } })
  await dropManagedCollections(db)
  await claimCollection(db, 'ingest')
  await db.collection('ingest').insertOne({})
  await dropManagedDatabase(db)
  expect(await namesIn('mongoperf_without_list')).toEqual([])
})

test('a collection that somebody else put into our database is refused, and survives our drops', async () => {
  const db = client.db('mongoperf_shared')
  await claimDatabase(db)
  await db.collection('theirs').insertOne({ precious: true })
  await claimCollection(db, 'ours')
  await db.collection('ours').insertOne({})
  await expect(claimCollection(db, 'theirs')).rejects.toMatchObject({ code: 'refused' })
  await expect(claimCollection(db, markerCollection)).rejects.toMatchObject({ code: 'refused' })

  await dropManagedCollections(db)
  expect(await namesIn('mongoperf_shared')).toEqual([markerCollection, 'theirs'])
  await dropManagedDatabase(db)
  expect(await namesIn('mongoperf_shared')).toEqual(['theirs'])
})
