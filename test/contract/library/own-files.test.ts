import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Document } from 'bson'
import { expect, test } from 'vitest'
import { type Dumped, makeArchive, writeDump } from '../../../bench/dumps.ts'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { useFolder } from '../../fakes/temporary-folder.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()
const folder = useFolder()

const documents = Array.from({ length: 3000 }, (_, _id) => ({
  _id,
  email: `${_id}@example.org`,
  n: _id % 7,
  tags: ['a', { b: _id }],
}))
const orders: Dumped = {
  db: 'shop',
  collection: 'orders',
  documents,
  metadata: {
    options: { validator: { n: { $gte: { $numberInt: '0' } } } },
    indexes: [
      { v: { $numberInt: '2' }, key: { _id: { $numberInt: '1' } }, name: '_id_' },
      { v: { $numberInt: '2' }, key: { email: { $numberInt: '1' } }, name: 'email_1', unique: true },
    ],
  },
}
const customers: Dumped = { db: 'shop', collection: 'customers', documents: [{ _id: 'x' }] }

/** Runs a spec whose data are loaded from a file, and reads what the server then has. */
async function load(name: string, data: Exclude<SpecInput['data'], readonly unknown[] | undefined>) {
  const { variants } = await run(
    {
      name,
      target: { kind: 'existing' },
      data,
      phases: [{ name: 'read', stopAfter: { operations: 5 }, operations: [{ kind: 'findOne', filter: { _id: 3 } }] }],
    } as SpecInput,
    { uri: server.uri },
  )
  const db = server.client.db(`mongoperf_${name.replaceAll('-', '_')}`)
  const collection = db.collection<Document>('orders')
  const [info] = await db.listCollections({ name: 'orders' }).toArray()
  return {
    source: variants[0]?.data[0]?.source,
    rows: variants[0]?.data[0]?.rows,
    documents: await collection.find().sort({ _id: 1 }).toArray(),
    indexes: (await collection.indexes()).map((index) => String(index['name'])).toSorted(),
    options: (info as { readonly options?: object } | undefined)?.options,
  }
}

const written = {
  dump: async () => (await writeDump(path.join(folder, 'dump'), [orders, customers], true), 'dump'),
  archive: async () => (
    await writeFile(path.join(folder, 'all.archive'), makeArchive([orders, customers], { perSegment: 100 })),
    'all.archive'
  ),
} as const

test.each(['dump', 'archive'] as const)(
  'a collection of a dump is there with its options and indexes: %s',
  async (kind) => {
    const file = path.join(folder, await written[kind]())
    expect(await load(`own-files-${kind}`, { collection: 'orders', file })).toEqual({
      source: 'file',
      rows: documents.length,
      documents,
      indexes: ['_id_', 'email_1'],
      options: { validator: { n: { $gte: 0 } } },
    })
  },
)

test('documents of a JSON array and of a CSV file are those of the file', async () => {
  const list = path.join(folder, 'orders.json')
  await writeFile(list, JSON.stringify(documents, null, 2))
  expect(await load('own-files-list', { collection: 'orders', file: list })).toMatchObject({
    documents,
    indexes: ['_id_'],
  })
  const csv = path.join(folder, 'orders.csv')
  await writeFile(
    csv,
    `_id,at,name.first\n${documents.map(({ _id }) => `${_id},2026-01-01,"a ""${_id}"""`).join('\n')}\n`,
  )
  const found = await load('own-files-csv', { collection: 'orders', file: csv, columns: { at: 'date' } })
  expect(found.documents).toEqual(
    documents.map(({ _id }) => ({ _id, at: new Date('2026-01-01T00:00:00Z'), name: { first: `a "${_id}"` } })),
  )
})

test('a dump that breaks off while it is loaded ends the run, and says where', async () => {
  const bytes = makeArchive([{ ...orders, metadata: { options: {}, indexes: [] } }])
  const file = path.join(folder, 'cut.archive')
  await writeFile(file, bytes.subarray(0, bytes.length - 30_000))
  await expect(load('own-files-cut', { collection: 'orders', file })).rejects.toThrow(
    /at byte \d+ has \d+ of its \d+ bytes/,
  )
})
