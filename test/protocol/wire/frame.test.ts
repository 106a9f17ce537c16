import { deserialize } from 'bson'
import { expect, test } from 'vitest'
import { bodyOffset, checkReply, encodeMessage, readRequestId } from '../../../src/protocol/wire/frame.ts'
import { aReply } from './a-message.ts'

const check = (message: Buffer) => (): void => checkReply(message, 0, message.length, 7)

test('a command is one section of an OP_MSG', () => {
  const message = encodeMessage({ ping: 1, $db: 'admin' }, -5)
  expect(message.readInt32LE(0)).toBe(message.length)
  expect(readRequestId(message)).toBe(-5)
  expect([message.readInt32LE(8), message.readInt32LE(12), message.readInt32LE(16), message[20]]).toEqual([
    0, 2013, 0, 0,
  ])
  expect(deserialize(message.subarray(bodyOffset))).toEqual({ ping: 1, $db: 'admin' })
})

test('the reply to a request is accepted, wherever it lies', () => {
  const reply = aReply({ ok: 1 }, 7)
  expect(check(reply)).not.toThrow()
  const shifted = Buffer.concat([Buffer.alloc(3, 0xff), reply, Buffer.alloc(5, 0xff)])
  expect(() => checkReply(shifted, 3, 3 + reply.length, 7)).not.toThrow()
})

test.each([
  ['of another request', aReply({ ok: 1 }, 8), 'wire-reply-to-another'],
  ['of another operation', aReply({ ok: 1 }, 7, { opCode: 2012 }), 'wire-reply-of-another-operation'],
  ['with a checksum', aReply({ ok: 1 }, 7, { flags: 1 }), 'wire-reply-with-checksum'],
  ['that announces another', aReply({ ok: 1 }, 7, { flags: 2 }), 'wire-reply-before-another'],
  ['with a sequence of documents', aReply({ ok: 1 }, 7, { kind: 1 }), 'wire-reply-with-sequence'],
  ['with bytes behind its document', Buffer.concat([aReply({ ok: 1 }, 7), Buffer.alloc(1)]), 'wire-reply-too-long'],
  ['that is cut', aReply({ ok: 1, text: 'x' }, 7).subarray(0, -1), 'wire-reply-cut'],
])('a reply %s is refused', (_, message, code) => expect(check(message)).toSay(code))

test('a document without an end is refused', () => {
  const message = aReply({ ok: 1 }, 7)
  message[message.length - 1] = 1
  expect(check(message)).toSay('wire-reply-without-end')
})
