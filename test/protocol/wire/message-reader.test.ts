import { type Document, deserialize } from 'bson'
import { array, integer, nat, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupDigits } from '../../../src/core/quantities.ts'
import {
  bodyOffset,
  createMessageReader,
  encodeMessage,
  maxMessageBytes,
  readRequestId,
} from '../../../src/protocol/wire/frame.ts'
import { forAll } from '../../fakes/for-all.ts'
import { withLength } from './a-message.ts'

type Read = { readonly id: number; readonly document: Document }

const decoded = (message: Buffer): Read => ({
  id: readRequestId(message),
  document: deserialize(message.subarray(bodyOffset)),
})

/** A reader whose pieces arrive in one buffer, as those of a socket do: each overwrites the one before. */
function reading() {
  const messages: Read[] = []
  const read = createMessageReader((bytes, start, end) => {
    messages.push(decoded(Buffer.from(bytes.subarray(start, end))))
    // Whoever keeps the bytes keeps what comes later.
    bytes.fill(0xff, start, end)
  })
  const buffer = Buffer.alloc(1_000_000)
  return {
    messages,
    take(piece: Buffer) {
      buffer.fill(0xee)
      piece.copy(buffer)
      read(buffer, piece.length)
    },
  }
}

const document = record({ text: string({ maxLength: 300 }), list: array(integer(), { maxLength: 5 }) })
const stream = array(document, { minLength: 1, maxLength: 8 })
const cuts = array(nat({ max: 5_000 }), { maxLength: 30 })

function pieces(bytes: Buffer, at: readonly number[]): readonly Buffer[] {
  const ends = [...at.map((each) => each % (bytes.length + 1)), bytes.length].toSorted((one, other) => one - other)
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
}

test('a stream gives the same messages however it is cut', () =>
  forAll(stream, cuts, (documents, at) => {
    const { messages, take } = reading()
    for (const piece of pieces(Buffer.concat(documents.map(encodeMessage)), at)) take(piece)
    expect(messages).toEqual(documents.map((each, id) => ({ id, document: each })))
  }))

test('a stream may arrive byte by byte', () => {
  const documents = [{ a: 1 }, { text: 'x'.repeat(1_000) }, {}]
  const { messages, take } = reading()
  for (const byte of Buffer.concat(documents.map(encodeMessage))) take(Buffer.from([byte]))
  expect(messages.map(({ document: each }) => each)).toEqual(documents)
})

test('a message that is longer than the buffer of a socket is followed by others', () => {
  const documents = [{ a: 1 }, { text: 'x'.repeat(3_000_000) }, { b: 2 }, { text: 'y'.repeat(100_000) }]
  const bytes = Buffer.concat(documents.map(encodeMessage))
  const { messages, take } = reading()
  for (let at = 0; at < bytes.length; at += 65_536) take(bytes.subarray(at, at + 65_536))
  expect(messages.map(({ document: each }) => each)).toEqual(documents)
})

test('a message that arrives whole is not copied', () => {
  const piece = Buffer.concat([{ a: 1 }, { b: 2 }].map(encodeMessage))
  const seen: Buffer[] = []
  createMessageReader((bytes) => void seen.push(bytes))(piece)
  expect(seen.map((bytes) => bytes === piece)).toEqual([true, true])
})

describe('a length that no message has is refused', () => {
  const message = encodeMessage({ a: 1 }, 1)

  test.each([-1, 0, 15, bodyOffset, maxMessageBytes + 1, 0x7fffffff])('%i', (length) => {
    const { messages, take } = reading()
    expect(() => take(withLength(message, length))).toSay('wire-message-length', { length: groupDigits(length) })
    expect(messages).toEqual([])
  })

  test.each([1, 3, 4, 20])('when it arrives in pieces of %i bytes', (size) => {
    const { messages, take } = reading()
    const bytes = Buffer.concat([message, withLength(message, maxMessageBytes + 1)])
    expect(() => {
      for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size))
    }).toSay('wire-message-length', { length: groupDigits(maxMessageBytes + 1) })
    expect(messages).toEqual([{ id: 1, document: { a: 1 } }])
  })
})
