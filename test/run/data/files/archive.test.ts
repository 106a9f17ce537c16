import { gzipSync } from 'node:zlib'
import { calculateObjectSize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type Dumped, checksum, makeArchive } from '../../../../bench/dumps.ts'
import { Crc64 } from '../../../../src/run/data/files/archive.ts'
import { useFolder } from '../../../fakes/temporary-folder.ts'
import { readFileOf } from './read-file.ts'

const folder = useFolder()

const numbered = (count: number, more: object = {}) => Array.from({ length: count }, (_, _id) => ({ _id, ...more }))
const orders: Dumped = { db: 'shop', collection: 'orders', documents: numbered(7, { text: 'x'.repeat(90_000) }) }
const customers: Dumped = { db: 'shop', collection: 'customers', documents: numbered(3, { name: 'a' }) }
const empty: Dumped = { db: 'shop', collection: 'empty', documents: [] }

const read = (bytes: Buffer, named: { readonly collection?: string; readonly namespace?: string } = {}) =>
  readFileOf(folder, 'all.archive', bytes, named)

test('the checksum is CRC-64 of ECMA-182, as its published check value says', () => {
  const crc = new Crc64()
  const bytes = Buffer.from('123456789')
  crc.add(bytes, 0, 4)
  crc.add(bytes, 4, 9)
  expect(BigInt.asUintN(64, crc.value())).toBe(0x995dc9bbdf1939fan)
  expect(crc.value()).toBe(checksum(bytes))
})

test('the segments of a collection are read between those of others, also compressed', async () => {
  const archive = makeArchive([customers, empty, orders])
  expect(await read(archive)).toEqual(orders.documents)
  expect(await read(gzipSync(archive))).toEqual(orders.documents)
  expect(await read(archive, { namespace: 'shop.customers' })).toEqual(customers.documents)
  expect(await read(archive, { collection: 'empty' })).toEqual([])
})

test('the only collection of an archive needs no name, and one of several databases does', async () => {
  expect(await read(makeArchive([customers]))).toEqual(customers.documents)
  const twice = makeArchive([orders, { ...customers, db: 'old', collection: 'orders' }])
  await expect(read(twice)).rejects.toSay('archive-name-twice')
  expect(await read(twice, { namespace: 'old.orders' })).toEqual(customers.documents)
})

test('a collection that an archive does not have is refused with those that it has', async () => {
  const archive = makeArchive([customers, orders])
  await expect(read(archive, { namespace: 'shop.order' })).rejects.toSay('archive-without-collection')
  await expect(read(archive, { collection: 'baskets' })).rejects.toSay('archive-without-own-name')
  const buckets = makeArchive([customers, { ...orders, collection: 'system.buckets.orders' }, empty])
  await expect(read(buckets)).rejects.toSay('archive-of-time-series')
})

describe('what is no archive is refused with the byte', () => {
  const archive = makeArchive([customers, orders])
  const small = makeArchive([customers])
  const headerBytes = calculateObjectSize({ db: 'shop', collection: 'customers', EOF: true, CRC: 0n })

  test.each([
    ['cut in its list of collections', archive.subarray(0, 120), 'archive-list-cut'],
    ['cut between segments', small.subarray(0, small.length - 4 - headerBytes), 'archive-cut-between'],
    ['cut in a document', archive.subarray(0, archive.length - 50_000), 'archive-cut-in-document'],
    ['with another checksum', makeArchive([customers], { crc: () => 1n }), 'archive-checksum-wrong'],
  ])('%s', async (_, bytes, code) => {
    await expect(read(bytes)).rejects.toSay(code)
  })

  test('with a document that says that it has 2 GB', async () => {
    const broken = Buffer.from(small)
    const first = small.lastIndexOf(Buffer.from('name')) - 14
    broken.writeInt32LE(2 ** 31 - 1, first)
    await expect(read(broken)).rejects.toSay('archive-length-wrong')
  })
})
