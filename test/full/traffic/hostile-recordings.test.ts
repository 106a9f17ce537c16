import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { serialize, setInternalBufferSize } from 'bson'
import { expect, test } from 'vitest'
import { startStubServer } from '../../../bench/stub-server/start-stub-server.ts'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { writeCall } from '../../../src/traffic/recording/encode-call.ts'
import { frameStartBytes, magic, readFrameStart } from '../../../src/traffic/recording/frames.ts'
import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { writeVarint } from '../../../src/traffic/recording/varints.ts'
import { workplace } from '../../contract/support/program.ts'
import { aCall, aReplyOf, header, readAll, writeAll } from '../../traffic/calls.ts'
import { runAndMeasure } from './max-memory.ts'

// Larger documents than 17 MB have no room in it otherwise.
setInternalBufferSize(64 * 1024 * 1024)

/** A frame whose checksums are right, whatever it has. */
function frame(kind: number, packed: Buffer, rawBytes: number, packedBytes = packed.length): Buffer {
  const start = Buffer.alloc(frameStartBytes)
  start[0] = kind
  start.writeUInt32LE(packedBytes, 1)
  start.writeUInt32LE(rawBytes, 5)
  start.writeUInt32LE(crc32(packed), 9)
  start.writeUInt32LE(crc32(start.subarray(0, 13)), 13)
  return Buffer.concat([start, packed])
}

const pack = (kind: number, raw: Buffer): Buffer => frame(kind, deflateSync(raw, { level: 1 }), raw.length)
const begin = Buffer.concat([magic, pack(0, Buffer.from(JSON.stringify(header)))])

/** A frame of any calls. */
function frameOf(calls: Iterable<RecordedCall>): Buffer {
  const [size, numbers, commands] = [new BsonWriter(16), new BsonWriter(), new BsonWriter()]
  let previousUs = 0
  for (const call of calls) {
    writeCall(numbers, commands, call, previousUs)
    previousUs = call.startUs
  }
  writeVarint(size, numbers.at)
  return pack(1, Buffer.concat([size, numbers, commands].map(({ bytes, at }) => bytes.subarray(0, at))))
}

const callOf = (command: Buffer): RecordedCall => ({ ...aCall({ insert: 'files' }), command })
const inserted = (document: object): Buffer => frameOf([callOf(Buffer.from(serialize({ insert: 'a', b: [document] })))])

/** A document whose fields are written by hand. */
function documentOf(fields: Buffer): Buffer {
  const start = Buffer.alloc(4)
  start.writeInt32LE(fields.length + 5)
  return Buffer.concat([start, fields, Buffer.alloc(1)])
}

/** Fields without values: null is of type 10, which is an end of line as a letter. */
const manyFields = (count: number, prefix = ''): Buffer =>
  Buffer.from(Array.from({ length: count }, (_, i) => `\n${prefix}${i.toString(16).padStart(6, '0')}\0`).join(''))

/** A document with one field, in a list. */
const itemOf = (i: number): string => `\x03\0\x0d\0\0\0\n${i.toString(16).padStart(6, '0')}\0\0`

/** The command "a" with a field "b" of a type. */
const commandOf = (type: number, value: Buffer): RecordedCall =>
  callOf(documentOf(Buffer.concat([Buffer.from('\na\0'), Buffer.from([type, 98, 0]), value])))

/** Calls of as many connections and sessions, each 100 ms after the other, and all at the same time. */
function* callsOfAll(from: number, count: number): Generator<RecordedCall> {
  const command = Buffer.from(serialize({ find: 1 }))
  for (let i = from; i < from + count; i++)
    yield {
      ...aCall({}),
      command,
      connection: i,
      startUs: i * 100_000,
      latencyUs: 1e12,
      session: { number: i, transactionNumber: null, transaction: 'none' },
    }
}

const millionConnections = (): readonly Buffer[] =>
  Array.from({ length: 100 }, (_, i) => frameOf(callsOfAll(i * 10_000, 10_000)))

const thousandShapes = (): Buffer =>
  frameOf(Array.from({ length: 1100 }, (_, i) => commandOf(3, documentOf(manyFields(4000, i.toString(36))))))

function oneBitChanged(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  changed[changed.length >> 1]! ^= 1
  return changed
}

const largeBytes = 47_000_000
const zeros = inserted({ filling: Buffer.alloc(largeBytes) })
const hostile: readonly (readonly [what: string, bytes: () => readonly Buffer[], code: number])[] = [
  ['a frame that claims 2 GB', () => [begin, frame(1, Buffer.alloc(0), 2 ** 31 - 1, 2 ** 31 - 1)], 2],
  ['a frame with another bit', () => [begin, oneBitChanged(frameOf(callsOfAll(0, 10_000)))], 2],
  ['a header that claims 50 MB', () => [magic, frame(0, deflateSync(Buffer.alloc(40_000_000)), 40_000_000)], 2],
  ['a hundred frames of 47 MB that were 50 KB', () => [begin, ...Array.from({ length: 100 }, () => zeros)], 2],
  [
    'four frames of 47 MB that cannot be compressed',
    () => [begin, ...Array.from({ length: 4 }, () => inserted({ filling: randomBytes(largeBytes) }))],
    0,
  ],
  ['a million connections, sessions and windows of time', () => [begin, ...millionConnections()], 0],
  ['a command of five million keys', () => [begin, frameOf([commandOf(3, documentOf(manyFields(5_800_000)))])], 0],
  [
    'a list of millions of different documents',
    () => {
      const items = Array.from({ length: 3_000_000 }, (_, i) => itemOf(i)).join('')
      return [begin, frameOf([commandOf(4, documentOf(Buffer.from(items, 'latin1')))])]
    },
    0,
  ],
  [
    'a key of 47 MB',
    () => [begin, frameOf([commandOf(3, documentOf(Buffer.from(`\n${'x'.repeat(largeBytes)}\0`)))])],
    0,
  ],
  ['a thousand shapes of 40 KB', () => [begin, thousandShapes()], 0],
  ['all of these in one file', () => [begin, ...millionConnections(), thousandShapes(), zeros], 0],
  [
    'a reply of three million ids',
    () => [
      begin,
      frameOf([
        {
          ...aCall({ a: 1 }),
          reply: aReplyOf({ upsertedIds: Array.from({ length: 3_000_000 }, () => 'ab'.repeat(12)) }),
        },
      ]),
    ],
    2,
  ],
]

test.each(hostile)('%s take at most 200 MB of memory', async (_, bytes, code) => {
  await using place = await workplace()
  const file = path.join(place.folder, 'a.mprec')
  await writeFile(file, bytes())
  const { code: ended, maxMB } = await runAndMeasure(place, ['inspect', file])
  expect(ended).toBe(code)
  expect(maxMB).toBeLessThan(200)
})

const damaged = hostile.filter(([, , code]) => code !== 0)

test.each(damaged)('a replay refuses %s with less than 200 MB of memory', async (_, bytes) => {
  await using place = await workplace()
  await using stub = await startStubServer()
  const file = path.join(place.folder, 'a.mprec')
  await writeFile(file, bytes())
  const { code, maxMB, stderr } = await runAndMeasure(place, ['replay', file, '--uri', stub.uri, '--allow-writes'])
  expect(stderr).toMatch(/is damaged at byte \d+: |is not a recording/)
  expect(code).toBe(2)
  expect(maxMB).toBeLessThan(200)
})

/** Parts of the 10^5, so that none takes minutes on a slow machine. */
const parts = Array.from({ length: 20 }, (_, part) => part)
const runs = 5000

test.each(parts)('of 10^5 changed recordings each is read, or refused where it was changed: part %i', async (part) => {
  await using place = await workplace()
  const file = path.join(place.folder, 'a.mprec')
  // The second is written before the third comes, ten seconds later.
  await writeAll(
    file,
    [0, 1, 60, 61].map((second) => aCall({ find: 'orders', filter: { _id: second } }, { startUs: second * 1e6 })),
  )
  const whole = await readFile(file)
  const frames = [...framesOf(whole)]
  expect(frames.length).toBeGreaterThan(3)
  const rng = new Stream(placeKey(38, 'recordings')).at(part)
  const changed = path.join(place.folder, 'changed.mprec')
  let refused = 0
  for (let run = 0; run < runs; run++) {
    const { at, kind, raw, end } = frames[rng.below(frames.length)]!
    // Of one half the checksums are wrong, of the other what they are right for.
    const instead = run % 2 === 0 ? mutate(whole.subarray(at, end), rng) : pack(kind, mutate(raw, rng))
    await writeFile(changed, [whole.subarray(0, at), instead, whole.subarray(end)])
    const failure = await readAll(changed).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure === undefined) continue
    refused++
    expect(failure).toMatchObject({ code: 'recording-unreadable' })
    // Where the first frame is missing, the file begins with another one.
    const isMissing = instead.length === 0 && at === magic.length
    expect(String(failure)).toContain(isMissing ? 'is not a recording' : `is damaged at byte ${at}: `)
  }
  expect(refused).toBeGreaterThan(runs / 4)
})

function* framesOf(whole: Buffer) {
  for (let at: number = magic.length; at < whole.length;) {
    const { packedBytes } = readFrameStart(whole.subarray(at, at + frameStartBytes))
    const end = at + frameStartBytes + packedBytes
    yield { at, kind: whole[at]!, raw: inflateSync(whole.subarray(at + frameStartBytes, end)), end }
    at = end
  }
}

/** One to three bytes are others, or some are missing. */
function mutate(bytes: Buffer, rng: Stream): Buffer {
  const changed = Buffer.from(bytes)
  for (let changes = rng.below(4); changes > 0; changes--) changed[rng.below(changed.length)] = rng.below(256)
  return rng.below(4) === 0 ? changed.subarray(0, rng.below(changed.length)) : changed
}
