import { mkdirSync, rmSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type Document, deserialize, ObjectId } from 'bson'
import { expect, test } from 'vitest'
import { findData } from '../../../src/traffic/data/find-data.ts'
import { openRecording } from '../../../src/traffic/recording/open-recording.ts'
import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { aCall, aReplyOf, writeAll } from '../calls.ts'

const inFolder = useFreshFolder()

async function find(source: string, calls: readonly RecordedCall[]) {
  const file = inFolder('a.mprec')
  await writeAll(file, calls)
  await using recording = await openRecording(file)
  return await findData(source, file, recording)
}

const failure = (found: Promise<unknown>): Promise<unknown> => found.catch((error: unknown) => error)

/** A call of a find, and how many documents it found, of 500 bytes each. */
const aFind = (filter: Document, documents: number, collection = 'orders'): RecordedCall =>
  aCall({ find: collection, filter }, { reply: aReplyOf({ documents, bytes: 500 * documents }) })

function documentsIn(collection: string): readonly Document[] {
  const bytes = readFileSync(inFolder('a-made-up-data', 'shop', `${collection}.bson`))
  const documents: Document[] = []
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
    documents.push(deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))))
  return documents
}

test('of made-up documents a call finds as many as it did, and they have the size of those', async () => {
  const id = new ObjectId('0123456789abcdef01234567')
  const data = await find('recorded', [
    aFind({ customer: 3 }, 40),
    aFind({ customer: 3 }, 40),
    aFind({ _id: 5 }, 1),
    aFind({ _id: 5, status: 'open' }, 1),
    aFind({ _id: 6 }, 0),
    aFind({ $text: { $search: 'a' } }, 9),
    aCall({ update: 'stock', updates: [{ q: { sku: 'a' }, u: {} }] }, { reply: aReplyOf({ n: 2 }) }),
    aCall({ insert: 'orders', documents: [{ _id: 7 }] }, { reply: aReplyOf({ n: 1 }) }),
    aFind({ _id: 7 }, 1),
    aCall(
      { update: 'stock', updates: [{ q: { sku: 'b' }, u: {}, upsert: true }] },
      { reply: aReplyOf({ n: 1, upsertedIds: [id.toHexString()] }) },
    ),
    aFind({ _id: id }, 1, 'stock'),
    aCall({ listCollections: 1 }),
    aCall({ find: 'others', filter: {} }, { database: 'crm' }),
  ])
  const orders = documentsIn('orders')
  expect(orders.filter(({ customer }) => customer === 3)).toHaveLength(40)
  // One that calls insert is not there before.
  expect(orders.map(({ _id }) => _id as unknown).filter((each) => each !== undefined)).toEqual([5])
  expect(orders).toHaveLength(41)
  expect(documentsIn('stock').map(({ sku }) => sku as unknown)).toEqual(['a', 'a'])
  const sizes = readFileSync(inFolder('a-made-up-data', 'shop', 'orders.bson')).length / orders.length
  expect(sizes).toBe(500)
  expect(JSON.parse(readFileSync(inFolder('a-made-up-data', 'shop', 'orders.metadata.json'), 'utf8'))).toEqual({
    options: {},
    indexes: [{ key: { customer: 1 }, name: 'customer_1' }],
  })
  expect(statSync(inFolder('a-made-up-data', 'shop', 'orders.bson')).mode & 0o777).toBe(0o600)
  expect(data.database).toBe('shop')
  expect(data.dataSets.map(({ collection }) => collection).toSorted()).toEqual(['orders', 'stock'])
})

test('a collection that the calls create is not made up, nor is one of an earlier recording', async () => {
  const create = aCall({ create: 'baskets' })
  const inBaskets = aCall({ find: 'baskets', filter: { customer: 1 } }, { reply: aReplyOf({ documents: 1 }) })
  await find('recorded', [aFind({ a: 1 }, 1), inBaskets])
  rmSync(inFolder('a.mprec'))
  const { dataSets } = await find('recorded', [aFind({ a: 1 }, 1), create, inBaskets])
  expect(dataSets.map(({ collection, create: isCreated }) => [collection, isCreated])).toEqual([
    ['orders', undefined],
    ['baskets', false],
  ])
})

test('a cursor with several batches finds them all, and a repeated call no more than the longest', async () => {
  const first = aCall({ find: 'orders', filter: { a: 1 } }, { reply: aReplyOf({ documents: 101, cursor: 9n }) })
  await find('recorded', [
    aFind({ a: 1 }, 1),
    first,
    aCall({ getMore: 9n, collection: 'orders' }, { reply: aReplyOf({ documents: 20, cursor: 9n }) }),
    aCall({ find: 'orders', filter: { a: 1 } }, { reply: aReplyOf({ documents: 101, cursor: 7n }) }),
    aCall({ getMore: 7n, collection: 'orders' }, { reply: aReplyOf({ documents: 30, cursor: 0n }) }),
  ])
  expect(documentsIn('orders')).toHaveLength(131)
})

test('of a dump those of the database are loaded, and what calls name beside them is ours too', async () => {
  const dump = inFolder('dump')
  for (const [database, collection] of [
    ['shop', 'orders'],
    ['shop', 'system.views'],
    ['crm', 'people'],
  ]) {
    mkdirSync(`${dump}/${database}`, { recursive: true })
    writeFileSync(`${dump}/${database}/${collection}.bson`, '')
  }
  const calls = [aFind({}, 1), aCall({ insert: 'new', documents: [] }), aCall({ find: '2nd', filter: {} })]
  expect(await find(dump, calls)).toEqual({
    database: 'shop',
    from: dump,
    dataSets: [
      { collection: 'orders', file: dump, namespace: 'shop.orders' },
      { collection: 'new', create: false },
    ],
  })
})

test('data that are not there, or of other databases, are refused', async () =>
  expect(await failure(find('no-dump', [aFind({}, 1)]))).toSay('replay-data-missing'))

test('a dump without the database of the calls is refused', async () => {
  const dump = inFolder('dump')
  mkdirSync(`${dump}/crm`, { recursive: true })
  writeFileSync(`${dump}/crm/people.bson`, '')
  expect(await failure(find(dump, [aFind({}, 1)]))).toSay('replay-data-of-others', { dump })
})

test('a folder for made-up data that cannot be written is a foreseen failure', async () => {
  writeFileSync(inFolder('a-made-up-data'), '')
  expect(await failure(find('recorded', [aFind({ a: 1 }, 1)]))).toSay('replay-data-unwritable', {
    folder: inFolder('a-made-up-data'),
  })
})
