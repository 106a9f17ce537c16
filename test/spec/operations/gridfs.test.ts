import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'

const withOperation = (operation: JsonObject) => ({ phases: [aPhase({ operations: [operation] })] })

function callsOf(operation: JsonObject, count: number, seed = 1): readonly PlannedCall[] {
  return Array.from({ length: count }, aPlan({ ...withOperation(operation), seed }).calls('measured').next)
}

const upload = (parts: JsonObject = {}): JsonObject => ({ kind: 'gridfsUpload', filename: 'f', sizeKB: 100, ...parts })
const piecesOf = ({ args }: PlannedCall): readonly Uint8Array[] => args.content ?? []
const contentOf = (call: PlannedCall): Buffer => Buffer.concat(piecesOf(call))
const md5 = (call: PlannedCall): string => createHash('md5').update(contentOf(call)).digest('hex')

test.each([
  [0, 0],
  [0.5, 512],
  [1, 1024],
  [255, 261_120],
  [5000.25, 5_120_256],
])('a file of %d KB has %i bytes, and its call counts them', (sizeKB, bytes) => {
  const [call] = callsOf(upload({ sizeKB }), 1)
  expect(call && [contentOf(call).byteLength, call.bytes, call.documents]).toEqual([bytes, bytes, 1])
})

const sizes = (parts: JsonObject) => callsOf(upload(parts), 1).flatMap((call) => piecesOf(call).map((it) => it.length))

test('a file comes in pieces that are no larger than a chunk', () => {
  expect(Math.max(...sizes({ sizeKB: 3000 }))).toBe(261_120)
  expect(Math.max(...sizes({ sizeKB: 3000, chunkSizeBytes: 1000 }))).toBe(1000)
})

const digests = (seed: number): readonly string[] => callsOf(upload(), 20, seed).map(md5)

test('the same seed makes the same files, another one others, and every call its own', () => {
  expect(digests(1)).toEqual(digests(1))
  expect(new Set([...digests(1), ...digests(2)]).size).toBe(40)
})

test('the content of a file cannot be compressed', () => {
  const [call] = callsOf(upload({ sizeKB: 1000 }), 1)
  expect(call && gzipSync(contentOf(call)).byteLength).toBeGreaterThan(1000 * 1024)
})

test('sizes and names may be drawn', () => {
  const drawn = callsOf(upload({ filename: { '@string': {} }, sizeKB: { '@int': { min: 1, max: 9 } } }), 50)
  expect(new Set(drawn.map(({ args }) => args.filename)).size).toBe(50)
  expect(new Set(drawn.map(({ bytes }) => bytes / 1024))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]))
})

test('options of an upload are passed under their names', () => {
  const [call] = callsOf(upload({ id: 7, chunkSizeBytes: 1024 }), 1)
  expect(call?.args.options).toEqual({ id: 7, chunkSizeBytes: 1024 })
})

const argsOf = (parts: JsonObject) => callsOf({ kind: 'gridfsDownload', ...parts }, 1)[0]?.args

test('a download asks by name or by id', () => {
  expect(argsOf({ filename: 'f' })).toEqual({ filename: 'f', options: {} })
  expect(argsOf({ id: 7 })).toEqual({ filename: '', options: { id: 7 } })
})

test.each<[JsonObject, string]>([
  [upload({ filename: 5 }), 'gridfs-filename'],
  [upload({ sizeKB: -1 }), 'gridfs-size'],
  [upload({ sizeKB: 'big' }), 'gridfs-size'],
  [upload({ sizeKB: 2 ** 25 }), 'gridfs-size'],
  [upload({ bucketName: 'system.x' }), 'gridfs-bucket-name'],
  [{ kind: 'gridfsDownload' }, 'gridfs-filename'],
  [{ kind: 'gridfsDownload', filename: 5 }, 'gridfs-filename'],
])('what a bucket would not take is refused: %j', (operation, code) =>
  expect(problemsOf(withOperation(operation))).toSay(code),
)

test('files need no collection in "data"', () =>
  expect(problemsOf({ ...withOperation(upload()), data: [] })).toEqual([]))

test('an upload takes no rows: a later phase cannot pick them', () => {
  const phases = [
    aPhase({ name: 'store', operations: [upload()] }),
    aPhase({ operations: [{ kind: 'gridfsDownload', filename: { '@toString': { '@pickRow': {} } } }] }),
  ]
  expect(problemsOf({ data: { collection: 'names' }, phases })).toSay('rows-none-after-upload')
})
