import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { asBson, type Dumped, makeArchive, writeDump } from '../../../bench/dumps.ts'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { findDataFile } from '../../../src/spec/schema/data-file.ts'
import { useFolder } from '../../fakes/temporary-folder.ts'

const folder = useFolder()

async function describeFile(file: string, content: string | Buffer, more: object = {}) {
  await writeFile(path.join(folder, file), content)
  return findDataFile({ file, collection: 'orders', ...more }, folder)
}

const csv = '_id,name\n1,a\n'
const list = '[{"_id":1}]'
const bson = asBson([{ _id: 1 }])
const archive = makeArchive([{ db: 'shop', collection: 'orders', documents: [{ _id: 1 }] }])

test.each([
  ['orders.txt', '{"_id":1}\n', 'lines'],
  ['orders.txt', list, 'json'],
  ['orders.json', '{\n"_id":1\n}', 'json'],
  ['orders.txt', csv, 'csv'],
  ['orders.txt', '_id\tname\n', 'csv'],
  ['one-column.csv', 'name\na\n', 'csv'],
  ['orders.txt', bson, 'bson'],
  ['orders', archive, 'archive'],
  ['orders.gz', gzipSync(archive), 'archive'],
  ['orders.ndjson', '', 'lines'],
])('%s is read for what it holds', async (file, content, kind) =>
  expect(await describeFile(file, content)).toMatchObject({ kind }),
)

describe('a file that is not what its name says is named for what it is', () => {
  test.each([
    ['orders.ndjson', csv, 'file-is-csv'],
    ['orders.ndjson', list, 'file-is-array'],
    ['orders.jsonl.gz', gzipSync(bson), 'file-is-bson'],
    ['orders.csv', '{"_id":1}\n', 'file-is-lines'],
    ['orders.bson', archive, 'file-is-archive'],
    ['orders.archive', bson, 'file-is-bson-no-archive'],
    ['orders.json', csv, 'file-is-csv-no-json'],
    ['orders.csv', Buffer.from('PAR1....'), 'file-is-parquet'],
    ['orders.csv', Buffer.from('PK\u0003\u0004....'), 'file-is-zip'],
    ['orders.bson', Buffer.from('SQLite format 3\0'), 'file-is-sqlite'],
    ['orders.ndjson', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]), 'file-is-zstd'],
    ['orders.ndjson', Buffer.from('\ufeff{"_id":1}\n', 'utf16le'), 'file-is-utf16'],
  ])('%s', async (file, content, code) => expect((await describeFile(file, content)).reason).toSay(code))

  test('settings of another kind of file are refused', async () => {
    expect((await describeFile('o.ndjson', '{}', { columns: { a: 'int' } })).reason).toSay('file-has-no-columns')
    expect((await describeFile('o.csv', csv, { namespace: 'a.b' })).reason).toSay('file-has-no-namespace')
  })
})

const orders: Dumped = {
  db: 'shop',
  collection: 'orders',
  documents: [{ _id: 1 }],
  metadata: {
    options: { capped: true, size: { $numberLong: '4096' }, uuid: 'x' },
    indexes: [
      { v: { $numberInt: '2' }, key: { _id: { $numberInt: '1' } }, name: '_id_' },
      { v: { $numberInt: '2' }, key: { at: { $numberInt: '-1' } }, name: 'at_-1', ns: 'shop.orders' },
      { v: { $numberInt: '2' }, key: { email: 1 }, name: 'email_1', unique: true },
    ],
  },
}
const customers: Dumped = { db: 'shop', collection: 'customers', documents: [] }

/** The data set that a spec with this one gets. */
const dataOf = (data: object) => load(data).rows[0]?.spec.data[0]
const load = (data: object) => {
  const phases = [{ name: 'r', stopAfter: { operations: 1 }, operations: [{ kind: 'find' as const }] }]
  return loadSpecText(JSON.stringify({ name: 'e', data, phases }), path.join(folder, 'e.json'))
}

describe('options and indexes of a dump', () => {
  test.each([
    ['a folder', async () => (await writeDump(path.join(folder, 'dump'), [orders, customers]), 'dump')],
    [
      'a folder of a database',
      async () => (await writeDump(path.join(folder, 'dump2'), [orders, customers]), 'dump2/shop'),
    ],
    ['a compressed folder', async () => (await writeDump(path.join(folder, 'dump3'), [orders], true), 'dump3')],
    ['a file', async () => (await writeDump(path.join(folder, 'dump4'), [orders]), 'dump4/shop/orders.bson')],
    [
      'an archive',
      async () => (await writeFile(path.join(folder, 'a.gz'), gzipSync(makeArchive([customers, orders]))), 'a.gz'),
    ],
  ])('are those of the collection: %s', async (_, write) => {
    const file = await write()
    const { options, indexes } = dataOf({ collection: 'orders', file }) ?? {}
    expect(options).toEqual({ capped: true, size: { $numberLong: '4096' } })
    expect(indexes).toEqual([
      { key: { at: { $numberInt: '-1' } }, name: 'at_-1' },
      { key: { email: 1 }, name: 'email_1', unique: true },
    ])
  })

  test('are added to those of the spec, which go first, or left out', async () => {
    await writeDump(path.join(folder, 'dump'), [orders])
    const own = { collection: 'orders', file: 'dump', options: { size: 8192 }, indexes: [{ key: { email: 1 } }] }
    expect(dataOf(own)).toMatchObject({
      options: { capped: true, size: 8192 },
      indexes: [{ name: 'at_-1' }, { key: { email: 1 } }],
    })
    expect(dataOf({ ...own, metadata: false })).toMatchObject({
      options: { size: 8192 },
      indexes: [{ key: { email: 1 } }],
    })
  })

  test('expire nothing, or the documents would go while they are measured; it is said, and the spec may have it so', async () => {
    const metadata = {
      options: { clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds: 60 },
      indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 }],
    }
    await writeDump(path.join(folder, 'dump'), [{ ...orders, metadata }])
    const data = { collection: 'orders', file: 'dump' }
    const { remarks } = load(data)
    expect(dataOf(data)).toMatchObject({ indexes: [{ key: { at: 1 }, name: 'at_1' }] })
    expect(JSON.stringify(dataOf(data))).not.toContain('expireAfterSeconds')
    expect(remarks).toHaveLine('dump-index-expires', { index: 'at_1' })
    expect(remarks).toHaveLine('dump-collection-expires', { collection: 'orders' })
    const own = load({
      ...data,
      indexes: [{ key: { at: 1 }, expireAfterSeconds: 5 }],
      options: { ...metadata.options, expireAfterSeconds: 5 },
    })
    expect(own.remarks).toEqual([])
    expect(own.rows[0]?.spec.data[0]).toMatchObject({
      indexes: [{ expireAfterSeconds: 5 }],
      options: { expireAfterSeconds: 5 },
    })
  })

  test('that cannot be read are refused', async () => {
    await writeDump(path.join(folder, 'dump'), [orders])
    await writeFile(path.join(folder, 'dump/shop/orders.metadata.json'), '{"options":')
    expect(() => dataOf({ collection: 'orders', file: 'dump' })).toThrow(
      expect.toSay('metadata-unreadable', { folder }),
    )
  })
})

test('a folder without a dump, and one without the collection, are refused', async () => {
  await writeDump(path.join(folder, 'dump'), [orders, customers])
  await writeFile(path.join(folder, 'readme.txt'), 'x')
  const reason = (file: string, collection: string) => findDataFile({ file, collection }, folder).reason
  expect(reason('dump', 'order')).toSay('dump-without-collection')
  await writeDump(path.join(folder, 'twice'), [orders, { ...orders, db: 'old' }])
  expect(reason('twice', 'orders')).toSay('dump-name-twice')
})

const legacy = { key: { at: true, by: '', n: 0, x: '2d' }, name: 'at', dropDups: true, unique: true, safe: null }

test('indexes of old servers are read as mongorestore converts them', async () => {
  await writeDump(path.join(folder, 'old'), [{ ...orders, metadata: { options: {}, indexes: [legacy] } }])
  expect(dataOf({ collection: 'orders', file: 'old' })?.indexes).toEqual([
    { key: { at: 1, by: 1, n: 1, x: '2d' }, name: 'at', unique: true },
  ])
})

test('a name that is no text in percent signs is that of the collection', async () => {
  await writeDump(path.join(folder, 'percent'), [{ ...customers, collection: '%ff' }])
  expect(findDataFile({ file: 'percent', collection: '%ff' }, folder)).toMatchObject({ kind: 'bson' })
})

test.each([
  ['shop/orders.bson', 'dump-of-pipe'],
  ['shop/orders.metadata.json', 'dump-with-metadata-of-pipe'],
  ['shop/orders.metadata.json.gz', 'dump-with-metadata-of-pipe'],
])('a pipe as %s, which may never end, is refused', async (name, code) => {
  const dump = path.join(folder, 'piped')
  await rm(dump, { recursive: true, force: true })
  await writeDump(dump, [orders])
  await rm(path.join(dump, 'shop/orders.metadata.json'))
  await rm(path.join(dump, name), { force: true })
  execFileSync('mkfifo', [path.join(dump, name)])
  expect(() => dataOf({ collection: 'orders', file: 'piped' })).toThrow(expect.toSay(code, { folder }))
})

test('metadata that unpack to much more than any collection has are refused', async () => {
  await writeDump(path.join(folder, 'bomb'), [orders], true)
  await writeFile(path.join(folder, 'bomb/shop/orders.metadata.json.gz'), gzipSync(Buffer.alloc(50_000_000, ' ')))
  expect(() => dataOf({ collection: 'orders', file: 'bomb' })).toThrow(expect.toSay('metadata-bomb', { folder }))
})

test.each([
  ['a name that is no text', { db: { toString: 1 }, collection: 'orders', metadata: '{}' }],
  ['other metadata', { db: 'shop', collection: 'orders', metadata: 5 }],
])('an archive whose list of collections has %s is damaged', async (_, entry) => {
  const prelude = [archive.subarray(0, 4), serialize({ version: '0.1' }), serialize(entry), Buffer.alloc(4, 0xff)]
  expect((await describeFile('damaged.archive', Buffer.concat(prelude))).reason).toSay('archive-list-damaged')
})
