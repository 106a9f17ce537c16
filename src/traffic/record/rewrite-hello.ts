import { serialize, type Document } from 'bson'
import { checkDocument } from '../../protocol/bson/check-document.ts'
import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { knownCompressors } from '../../protocol/wire/decompress.ts'
import { decodeUntrusted } from '../recording/decode-untrusted.ts'
import { messageFlags, operations, readMessage } from './read-message.ts'

/** The listener in front of a server, as clients reach it. Undefined: there is none. */
export type ListenerOf = (server: string) => string | undefined

/**
 * Rewrites the reply to a handshake: it names the listeners instead of the servers, and only compressors that can be read here.
 * @throws {MalformedBson} where it is not BSON.
 */
export function rewriteHello(bytes: Buffer, start: number, end: number, listenerOf: ListenerOf): Buffer {
  const message = readMessage(bytes, start, end)
  checkDocument(message.bytes, message.document, message.end)
  const hello = decodeUntrusted(message.bytes.subarray(message.document, message.end))
  if (hello === undefined) throw new MalformedBson('a handshake that is not BSON')
  const document = serialize(rewritten(hello, listenerOf))
  const header = Buffer.from(message.bytes.subarray(message.start, message.document))
  header.writeInt32LE(header.length + document.length, 0)
  // The checksum was that of the original document.
  if (message.operation === operations.message) header.writeInt32LE(message.flags & ~messageFlags.checksumPresent, 16)
  return Buffer.concat([header, document])
}

function rewritten(hello: Document, listenerOf: ListenerOf): Document {
  const changed = { ...hello }
  for (const field of ['hosts', 'passives', 'arbiters'])
    if (Array.isArray(hello[field])) changed[field] = hello[field].flatMap((host) => listenerOf(String(host)) ?? [])
  for (const field of ['me', 'primary']) {
    if (typeof hello[field] !== 'string') continue
    const listener = listenerOf(hello[field])
    if (listener === undefined) delete changed[field]
    else changed[field] = listener
  }
  if (Array.isArray(hello['compression']))
    changed['compression'] = hello['compression'].filter((name) => knownCompressors.includes(String(name)))
  return changed
}
