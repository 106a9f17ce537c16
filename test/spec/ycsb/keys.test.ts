import { describe, expect, test } from 'vitest'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { printSpec } from '../../../src/spec/parse/print-spec.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { importWorkload } from '../../../src/spec/ycsb/import-workload.ts'
import { fail } from '../../fakes/fail.ts'

/** Keys of the data set of a workload, by the whole way from its properties. */
async function keysOf(properties: string): Promise<(row: number) => unknown> {
  const { spec } = await importWorkload({ file: 'w', text: `recordcount=10\noperationcount=1\n${properties}` })
  const { spec: read } = loadSpecText(printSpec(spec), 'x.json').rows[0] ?? fail('no row')
  const dataSet = createDataSet(read.data[0] ?? fail('no data'), ['data'], {
    seed: 1,
    report: (_, reason) => fail(reason),
  })
  return (row) => dataSet.documentOf?.(row).document['_id']
}

/** FNV-1a of the eight octets of a number, lowest first, as Java's `long` without its sign. */
function referenceHash(number: bigint): bigint {
  let hash = 0xcbf29ce484222325n
  for (let octet = 0n; octet < 8n; octet++)
    hash = BigInt.asUintN(64, (hash ^ ((number >> (8n * octet)) & 0xffn)) * 1099511628211n)
  const signed = BigInt.asIntN(64, hash)
  return signed < 0n ? -signed : signed
}

describe('hashed keys', () => {
  test.each([
    [0, 'user6284781860667377211'],
    [1, 'user8517097267634966620'],
    [2, 'user1820151046732198393'],
  ])('record %i is %s', async (record, key) => expect((await keysOf(''))(record)).toBe(key))

  test('are those of a reference', async () => {
    const keyAt = await keysOf('')
    for (const record of [3, 255, 256, 65_535, 1_000_000, 2 ** 31, 2 ** 32 + 7, 2 ** 40])
      expect(keyAt(record)).toBe(`user${referenceHash(BigInt(record))}`)
  })

  test('are padded with zeros in front', async () => {
    const keyAt = await keysOf('zeropadding=24')
    expect(keyAt(0)).toBe('user000006284781860667377211')
    expect((await keysOf('zeropadding=1'))(0)).toBe('user6284781860667377211')
  })

  test('begin at insertstart', async () => expect((await keysOf('insertstart=2'))(0)).toBe('user1820151046732198393'))
})

test('ordered keys are the numbers of the records', async () => {
  expect((await keysOf('insertorder=ordered'))(12)).toBe('user12')
  expect((await keysOf('insertorder=ordered\nzeropadding=8'))(12)).toBe('user00000012')
  expect((await keysOf('insertorder=ordered\ninsertstart=5'))(3)).toBe('user8')
})
