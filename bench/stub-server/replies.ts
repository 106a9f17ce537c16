import { type Document, Double, ObjectId, serialize } from 'bson'
import { encodeMessage, maxMessageBytes } from '../../src/protocol/wire/frame.ts'

/** In the type that servers send it in. */
const ok = new Double(1)

/** Releases that the server can claim, by their wire versions. The last one is newer than all that there are. */
export const releases = { '7.0': 21, '9.0': 29 } as const

/** A release that the server can claim. */
export type Release = keyof typeof releases

/** Reply that introduces the server, in the words of MongoDB 7.0. */
const introduceAs = (release: Release): Document => ({
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: maxMessageBytes,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: releases[release],
  readOnly: false,
  ok,
})

/** Commands that belong to a connection and not to its load: they are never delayed. */
export const commandsOfConnection: ReadonlySet<string> = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'saslStart',
  'saslContinue',
  'endSessions',
])

/** Builds a reply. @param count Of the statements of a write. */
type ReplyOf = (count: number) => Document

const createCursor =
  (only: Document): ReplyOf =>
  () => ({ cursor: { firstBatch: [only], id: 0n, ns: 'stub.documents' }, ok })

const bulkWrite: ReplyOf = (n) => ({
  cursor: { id: 0n, firstBatch: [], ns: 'admin.$cmd.bulkWrite' },
  nErrors: 0,
  nInserted: n,
  nMatched: 0,
  nModified: 0,
  nUpserted: 0,
  nDeleted: 0,
  ok,
})

/** Returns the replies to commands by their names; to all others `{ ok: 1 }`. */
function repliesByCommand(document: Document, release: Release): Readonly<Record<string, ReplyOf>> {
  const introduce: ReplyOf = () => introduceAs(release)
  const cursor = createCursor(document)
  return {
    hello: introduce,
    isMaster: introduce,
    ismaster: introduce,
    buildInfo: () => ({ version: `${release}.0`, versionArray: [...release.split('.'), 0, 0].map(Number), ok }),
    // Nobody is to wait for statistics that never come.
    getDiagnosticData: () => ({ ok: new Double(0), errmsg: 'no such command', code: 59, codeName: 'CommandNotFound' }),
    // What makes it pass for an existing collection with an index on its key alone.
    listCollections: createCursor({ name: 'documents', type: 'collection' }),
    listIndexes: createCursor({ v: 2, key: { _id: 1 }, name: '_id_' }),
    find: cursor,
    aggregate: cursor,
    count: () => ({ n: 1, ok }),
    distinct: () => ({ values: [1], ok }),
    findAndModify: () => ({ lastErrorObject: { n: 1, updatedExisting: true }, value: document, ok }),
    insert: (n) => ({ n, ok }),
    update: (n) => ({ n, nModified: n, ok }),
    delete: (n) => ({ n, ok }),
    // In the form of 8.0, which brought it.
    ...(release !== '7.0' && { bulkWrite }),
  }
}

/** A document of so many bytes of BSON, and not fewer than it takes without its text. */
export const createDocument = (bytes: number): Document =>
  documentWith(Math.max(0, bytes - serialize(documentWith(0)).length))

const documentWith = (letters: number): Document => ({ _id: new ObjectId('0'.repeat(24)), text: 'x'.repeat(letters) })

/** Finds the reply to a command, complete but for the request that it answers. */
export type Replies = (command: string, count: number) => Buffer

/**
 * The replies of one connection, each encoded once and then used again: a client has one command in flight on a connection, so
 * it has read a reply before its bytes change.
 */
export function createReplies(document: Document, release: Release = '7.0'): Replies {
  const replies = repliesByCommand(document, release)
  const encoded = new Map<string, Map<number, Buffer>>()
  return (command, count) => {
    let byCount = encoded.get(command)
    if (!byCount) encoded.set(command, (byCount = new Map<number, Buffer>()))
    let reply = byCount.get(count)
    if (!reply) byCount.set(count, (reply = encodeMessage(replies[command]?.(count) ?? { ok }, 0)))
    return reply
  }
}

const opReply = 1
const opReplyHeaderBytes = 36

/** The introduction as drivers first ask for it: in the message format of old, because they do not know the server yet. */
export function legacyIntroduction(release: Release = '7.0'): Buffer {
  const body = serialize(introduceAs(release))
  const reply = Buffer.alloc(opReplyHeaderBytes + body.length)
  reply.writeInt32LE(reply.length, 0)
  reply.writeInt32LE(opReply, 12)
  reply.writeInt32LE(1, opReplyHeaderBytes - 4)
  reply.set(body, opReplyHeaderBytes)
  return reply
}
