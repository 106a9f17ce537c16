import { expect, test } from 'vitest'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { type FillBatch, generatedBatches } from '../../../src/run/data/load.ts'
import { documentsOfBatches } from './documents-of-batches.ts'

const megabyte = 1024 * 1024

async function idsOf(fill: FillBatch): Promise<readonly (readonly unknown[])[]> {
  const batches = await documentsOfBatches(fill)
  return batches.map((documents) => documents.map(({ _id }) => _id))
}

const writeRow = (row: number, out: BsonWriter): void => void out.document({ _id: row })

test('batches hold every row once, in order', async () => {
  const batches = await idsOf(generatedBatches(writeRow, 12_345))
  expect(batches.flat()).toEqual(Array.from({ length: 12_345 }, (_, row) => row))
  expect(batches.length).toBeGreaterThan(1)
})

test('no rows are no batch', async () => {
  expect(await idsOf(generatedBatches(writeRow, 0))).toEqual([])
})

test('rows are not made before their batch is asked for', async () => {
  let made = 0
  const fill = generatedBatches((row, out) => {
    made += 1
    writeRow(row, out)
  }, 1_000_000)
  await fill(new BsonWriter())
  expect(made).toBeLessThan(5000)
})

test('a batch stays small: a document of the largest size ends it', async () => {
  const text = 'x'.repeat(16 * megabyte - 100)
  const write = (row: number, out: BsonWriter): void => void out.document({ _id: row, ...(row % 2 === 1 && { text }) })
  expect(await idsOf(generatedBatches(write, 5))).toEqual([[0, 1], [2, 3], [4]])
})
