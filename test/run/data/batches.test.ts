import { expect, test } from 'vitest'
import { createBatcher, generatedBatches } from '../../../src/run/data/batches.ts'

const megabyte = 1024 * 1024

test('batches hold every row once, in order', () => {
  const batches = [...generatedBatches((row) => ({ document: { _id: row }, bytes: 14 }), 12_345)]
  expect(batches.flatMap(({ documents }) => documents.map(({ _id }) => _id))).toEqual(
    Array.from({ length: 12_345 }, (_, row) => row),
  )
  expect(batches.length).toBeGreaterThan(1)
  expect(batches.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(12_345 * 14)
})

test('no rows are no batch', () => {
  expect([...generatedBatches(() => ({ document: {}, bytes: 5 }), 0)]).toEqual([])
})

test('rows are not made before their batch is asked for', () => {
  let made = 0
  const batches = generatedBatches((row) => ({ document: { _id: row }, bytes: (made++, 14) }), 1_000_000)
  batches.next()
  expect(made).toBeLessThan(5000)
})

test('a batch stays small, and a document of the largest size travels alone', () => {
  const batcher = createBatcher()
  const add = (bytes: number) => batcher.add({ document: { bytes }, bytes })
  expect(add(100)).toBeUndefined()
  expect(add(16 * megabyte)).toEqual({ documents: [{ bytes: 100 }], bytes: 100 })
  expect(add(200)).toEqual({ documents: [{ bytes: 16 * megabyte }], bytes: 16 * megabyte })
  expect(batcher.rest()).toEqual({ documents: [{ bytes: 200 }], bytes: 200 })
  expect(batcher.rest()).toBeUndefined()
})
