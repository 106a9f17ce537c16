import { gzipSync } from 'node:zlib'
import { Decimal128, Long, ObjectId, UUID } from 'bson'
import { describe, expect, test } from 'vitest'
import { type ColumnType } from '../../../../src/spec/schema/data-file-kinds.ts'
import { useFolder } from '../../../fakes/temporary-folder.ts'
import { readFileOf } from './read-file.ts'

const folder = useFolder()
type Columns = Readonly<Record<string, ColumnType>>
const read = (text: string | Buffer, columns?: Columns, name = 'orders.csv') =>
  readFileOf(folder, name, text, columns && { columns })

test('the first line names the fields, and dots in names lead into documents', async () => {
  expect(await read('_id,customer.name,customer.city\n1,Ann,Oslo\n2,Bo,Bergen\n')).toEqual([
    { _id: 1, customer: { name: 'Ann', city: 'Oslo' } },
    { _id: 2, customer: { name: 'Bo', city: 'Bergen' } },
  ])
})

test('what looks like a number is one, and all else is a text, as mongoimport infers it', async () => {
  const line = '7,-3000000000,2.5,5.0,1e3,007,,true,2026-01-01,NaN'
  expect(await read(`a,b,c,d,e,f,g,h,i,j\n${line}`)).toEqual([
    { a: 7, b: -3_000_000_000, c: 2.5, d: 5, e: 1000, f: 7, g: '', h: 'true', i: '2026-01-01', j: 'NaN' },
  ])
})

test('columns have the types that the spec gives them, and empty fields of these are left out', async () => {
  const columns = {
    zip: 'string',
    n: 'long',
    d: 'double',
    price: 'decimal',
    ok: 'boolean',
    at: 'date',
    _id: 'objectId',
    u: 'uuid',
    x: 'skip',
  } as const
  const id = '0123456789abcdef01234567'
  const uuid = '01234567-89ab-4def-8123-456789abcdef'
  const text = `zip,n,d,price,ok,at,_id,u,x\n007,5,5,0.10,yes,2026-01-31 12:00:00,${id},${uuid},y\n,,,,,,,,\n`
  expect(await read(text, columns)).toEqual([
    {
      zip: '007',
      n: 5,
      d: 5,
      price: Decimal128.fromString('0.10'),
      ok: true,
      at: new Date('2026-01-31T12:00:00Z'),
      _id: ObjectId.createFromHexString(id),
      u: UUID.createFromHexString(uuid).toBinary(),
    },
    { zip: '' },
  ])
  expect(Long.isLong(5)).toBe(false)
})

test('fields in quotation marks may hold separators, quotation marks and ends of lines', async () => {
  const text = 'a,b\r\n"x, ""y""","1\r\n2"\r\n\r\n5" pipe,"" \r\n'
  expect(await read(text)).toEqual([
    { a: 'x, "y"', b: '1\r\n2' },
    { a: '5" pipe', b: ' ' },
  ])
})

test('a semicolon or a tab may stand between the fields, and the file be compressed', async () => {
  expect(await read('a;b\n1,5;2\n')).toEqual([{ a: '1,5', b: 2 }])
  expect(await read('a\tb\n1\t2\n', undefined, 'orders.tsv')).toEqual([{ a: 1, b: 2 }])
  expect(await read(gzipSync('a,b\n1,2\n'), undefined, 'orders.csv.gz')).toEqual([{ a: 1, b: 2 }])
  expect(await read('\uFEFFa\n1\n')).toEqual([{ a: 1 }])
})

test('a record with fewer fields has those that are there', async () => {
  expect(await read('a,b\n1\n')).toEqual([{ a: 1 }])
})

describe('what cannot be read is refused with its line, without its content', () => {
  const refused: readonly (readonly [what: string, text: string | Buffer, code: string, columns?: Columns])[] = [
    ['a record with more fields than names', 'a,b\n1,2\n1,2,3\n', 'csv-more-fields'],
    ['a quotation mark that is not closed', 'a,b\n1,2\n"1,2\n3,4\n', 'csv-quote-open'],
    ['a value of another type', 'a,b\n1,2\n1,secret\n', 'csv-wrong-type', { b: 'date' }],
    ['an int beyond its range', 'a\n3000000000\n', 'csv-int-too-large', { a: 'int' }],
    ['a column that is not there', 'a,price\n1,2\n', 'csv-column-unknown', { prize: 'double' }],
    ['a name that no field can have', 'a,$where\n1,2\n', 'csv-name-refused'],
    ['a name twice', 'a,a\n1,2\n', 'csv-name-twice'],
    ['a name inside of another', 'a,a.b\n1,2\n', 'csv-name-inside'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0x0a, 0xe4, 0x0a]), 'csv-not-utf8'],
    ['a record of 20 MB', `a\n"${`${'x'.repeat(99)}\n`.repeat(200_000)}"\n`, 'csv-record-too-long'],
  ]
  test.each(refused.map(([what, text, code, columns]) => ({ what, text, code, columns })))(
    '$what',
    async ({ text, code, columns }) => {
      await expect(read(text, columns)).rejects.toSay(code)
    },
  )
})
