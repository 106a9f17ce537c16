import { deserialize } from 'bson'
import { type Db, MongoNetworkError, ReadPreference } from 'mongodb'
import type { Clock } from '../../core/clock.ts'
import { createMembers } from '../../load/engines/wire/members.ts'
import { Message, type Template, createTemplate } from '../../load/engines/wire/message.ts'
import { WriteReply, createReplyError } from '../../load/engines/wire/replies/write-reply.ts'
import { headroomBytes } from '../../protocol/bson/encoded.ts'
import { int32At } from '../../protocol/bson/types.ts'
import type { BsonWriter } from '../../protocol/bson/writer.ts'
import { openConnection } from '../../protocol/wire/connection.ts'
import { type ConnectionSettings, neededOfDriver } from '../../protocol/wire/settings.ts'

/** Inserts batches, one after the other. */
export type Inserter = Disposable & {
  /**
   * @param into Default: the target that it was opened for.
   * @throws what the driver throws where the server refuses a document, or is lost.
   */
  readonly insert: (batch: BsonWriter, into?: InsertTarget) => Promise<void>
}

/** Opens connections for batches. */
export type Inserters = Disposable & {
  /** @throws what the driver throws where it finds no primary, or cannot connect to it. */
  readonly open: () => Promise<Inserter>
}

/** Target of batches, and whether the server stops at a document that it refuses. */
export type InsertTarget = { readonly db: Db; readonly collection: string; readonly ordered: boolean }

const maxSelectionMs = 30_000

/** Inserters with connections of their own, or with the driver's where the URI asks for what only that does. */
export function createInserters(target: InsertTarget, clock: Clock): Inserters {
  const { client } = target.db
  if (neededOfDriver(client.options) !== undefined)
    return { open: async () => driverInserter(target), [Symbol.dispose]: () => {} }
  const members = createMembers(client, clock, maxSelectionMs)
  return {
    open: async () => await openWireInserter(target, await members.find(ReadPreference.primary)),
    [Symbol.dispose]: () => members[Symbol.dispose](),
  }
}

/** One member's word is enough here: the settle step waits for the others. */
const createInsertCommand = ({ collection, ordered }: InsertTarget) => ({
  insert: collection,
  ordered,
  writeConcern: { w: 1 },
})

/** The documents are sent where they were written. */
async function openWireInserter(target: InsertTarget, settings: ConnectionSettings): Promise<Inserter> {
  const connection = await openConnection(settings)
  const createFor = (into: InsertTarget): Template =>
    createTemplate({ ...createInsertCommand(into), $db: into.db.databaseName })
  let last = { into: target, template: createFor(target) }
  const message = new Message()
  const reply = new WriteReply()

  function prepare(batch: BsonWriter, into: InsertTarget): void {
    if (into !== last.into) last = { into, template: createFor(into) }
    message.begin(last.template)
    message.endBody()
    message.beginSequence('documents')
    message.finishInFrontOf(batch.bytes, headroomBytes, batch.at)
  }

  return {
    insert: (batch, into = target) =>
      new Promise((resolve, reject) => {
        prepare(batch, into)
        connection.send(message.ready, {
          onReply(bytes, start, end) {
            try {
              reply.require(bytes, start, end)
              resolve()
            } catch (error) {
              reject(error)
            }
          },
          onFailure: (error) => reject(new MongoNetworkError(error.message, { cause: error })),
        })
      }),
    [Symbol.dispose]: () => connection.close(),
  }
}

const exactly = { promoteValues: false, promoteBuffers: false, bsonRegExp: true }

function driverInserter(target: InsertTarget): Inserter {
  return {
    async insert({ bytes, at }, into = target) {
      const documents = []
      for (let start = headroomBytes; start < at; start += int32At(bytes, start))
        documents.push(deserialize(bytes.subarray(start, start + int32At(bytes, start)), exactly))
      const reply = await into.db.command({ ...createInsertCommand(into), documents })
      if (reply['writeErrors'] !== undefined) throw createReplyError(reply)
    },
    [Symbol.dispose]: () => {},
  }
}
