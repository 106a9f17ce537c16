import { crc32, deflateSync } from 'node:zlib'
import { array, assert, asyncProperty, integer, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { Stream, placeKey } from '../../../src/core/random.ts'
import { MalformedBson } from '../../../src/protocol/bson/types.ts'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { createDigest } from '../../../src/traffic/recording/digest.ts'
import { readCall, writeCall } from '../../../src/traffic/recording/encode-call.ts'
import { frameStartBytes, packFrame, readFrameStart, unpackFrame } from '../../../src/traffic/recording/frames.ts'
import { ByteReader } from '../../../src/traffic/recording/varints.ts'
import { forAll } from '../../fakes/for-all.ts'
import { propertyRuns } from '../../property-runs.ts'
import { aCall, aReplyOf } from '../calls.ts'

/** Bytes of a file, piece by piece. */
const inPieces = (bytes: Buffer) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
  }

test('a frame is unpacked to what was packed', async () =>
  await assert(
    asyncProperty(uint8Array({ maxLength: 5000 }), async (bytes) => {
      const frame = await packFrame('calls', Buffer.from(bytes))
      const start = readFrameStart(frame.subarray(0, frameStartBytes))
      expect(start.packedBytes).toBe(frame.length - frameStartBytes)
      const raw = Buffer.alloc(start.rawBytes)
      await unpackFrame(start, inPieces(frame.subarray(frameStartBytes)), raw)
      expect(raw).toEqual(Buffer.from(bytes))
    }),
  ))

/** The start of a frame whose checksums are right, whatever it says. */
function claim(packedBytes: number, rawBytes: number, packed: Buffer = Buffer.alloc(0)): Buffer {
  const start = Buffer.alloc(frameStartBytes)
  start[0] = 1
  start.writeUInt32LE(packedBytes, 1)
  start.writeUInt32LE(rawBytes, 5)
  start.writeUInt32LE(crc32(packed), 9)
  start.writeUInt32LE(crc32(start.subarray(0, 13)), 13)
  return start
}

test.each([
  [2_147_483_647, 2_147_483_647],
  [100, 2_147_483_647],
  [1_000, 40_000_000],
  [2_000_000_000, 1_000],
])('a frame that claims %i bytes of %i is refused before they are allocated', (packed, raw) =>
  expect(() => readFrameStart(claim(packed, raw))).toThrow(MalformedBson),
)

test.each([50_000, 100_001])(
  'what becomes another number of bytes than the %i that a frame says is refused',
  async (claimed) => {
    const packed = deflateSync(Buffer.alloc(100_000))
    const start = readFrameStart(claim(packed.length, claimed, packed))
    await expect(unpackFrame(start, inPieces(packed), Buffer.alloc(claimed))).rejects.toThrow(MalformedBson)
  },
)

const someCalls = [
  aCall({ find: 'orders', filter: { _id: 7, tags: ['a', { b: 1.5 }] } }, { startUs: 7, connection: 300 }),
  aCall(
    { update: 'orders', updates: [{ q: { _id: 1 }, u: { $set: { at: new Date(0) } }, upsert: true }] },
    {
      startUs: 100_000,
      session: { number: 3, transactionNumber: 1_000_000, transaction: 'starts' },
      reply: aReplyOf({
        n: 1,
        nModified: 0,
        code: 11_000,
        cursor: -5n,
        digest: 77n,
        upsertedIds: ['0123456789abcdef01234567'],
      }),
    },
  ),
]

/** Calls whose checksum was right, and which are wrong: a program wrote them that is not ours. */
test('calls of changed bytes are read or refused, and never lead out of their frame', () => {
  const numbers = new BsonWriter(256)
  const commands = new BsonWriter(1024)
  for (const call of someCalls) writeCall(numbers, commands, call, 0)
  const whole = [numbers, commands].map(({ bytes, at }) => Buffer.from(bytes.subarray(0, at)))
  const rng = new Stream(placeKey(38, 'calls')).at(0)
  let refused = 0
  // 10,000, and 100,000 in the full run.
  for (let run = 0; run < Math.min(100_000, propertyRuns * 100); run++) {
    const [first = whole[0]!, second = whole[1]!] = whole.map((bytes) => mutate(bytes, rng))
    const from = new ByteReader(first, 0, first.length)
    const commandsFrom = new ByteReader(second, 0, second.length)
    try {
      for (let i = 0; i < 2; i++)
        expect(readCall(from, commandsFrom, 0).command.length).toBeLessThanOrEqual(second.length)
    } catch (error) {
      if (!(error instanceof MalformedBson)) throw error
      refused++
    }
  }
  expect(refused).toBeGreaterThan(1000)
})

function mutate(bytes: Buffer, rng: Stream): Buffer {
  const changed = Buffer.from(bytes)
  for (let changes = rng.below(3); changes > 0; changes--) changed[rng.below(changed.length)] = rng.below(256)
  return rng.below(4) === 0 ? changed.subarray(0, rng.below(changed.length)) : changed
}

const digestOf = (documents: readonly Uint8Array[]): bigint => {
  const digest = createDigest()
  for (const document of documents) {
    const padded = Buffer.concat([Buffer.alloc(3, 1), document, Buffer.alloc(2, 9)])
    digest.add(padded, 3, 3 + document.length)
  }
  return digest.value()
}

test('the digest of documents is that of their batches added up, in any order', () =>
  forAll(array(uint8Array({ maxLength: 40 })), integer({ min: 0, max: 10 }), (documents, cut) => {
    const whole = digestOf(documents)
    expect(digestOf(documents.toReversed())).toBe(whole)
    const batches = [documents.slice(0, cut), documents.slice(cut)].map(digestOf)
    expect(
      BigInt.asUintN(
        64,
        batches.reduce((sum, one) => sum + one, 0n),
      ),
    ).toBe(whole)
  }))

test('documents that differ in a bit, or in length, have other digests', () => {
  const digests = new Set<bigint>()
  for (let length = 0; length < 40; length++)
    for (let bit = -1; bit < length * 8; bit++) {
      const bytes = Buffer.alloc(length)
      if (bit >= 0) bytes[bit >> 3] = 1 << (bit & 7)
      const digest = createDigest()
      digest.add(bytes, 0, length)
      digests.add(digest.value())
    }
  expect(digests.size).toBe(40 + (39 * 40 * 8) / 2)
})
