import type { MethodKind } from '../../intent.ts'
import type { Exchange, MethodContext } from '../method.ts'
import { bulkWrite } from './bulk-write.ts'
import { clientBulkWrite } from './client-bulk-write.ts'
import { countDocuments, distinct, estimatedDocumentCount } from './counts.ts'
import { findOneAndDelete, findOneAndReplace, findOneAndUpdate } from './find-and-modify.ts'
import { aggregate, find, findOne } from './find.ts'
import { insertMany, insertOne } from './inserts.ts'
import { command } from './run-command.ts'
import { deleteMany, deleteOne, replaceOne, updateMany, updateOne } from './updates.ts'

/** Compiles a method of an operation for the wire: called once per phase. @returns a function that makes an exchange per connection. */
export type CreateExchange = (context: MethodContext) => () => Exchange

/** The kinds of calls that this engine makes. Files of GridFS are many calls, which only a driver makes. */
export const wireMethods: Readonly<Partial<Record<MethodKind, CreateExchange>>> = {
  insertOne,
  insertMany,
  findOne,
  find,
  aggregate,
  countDocuments,
  estimatedDocumentCount,
  distinct,
  updateOne,
  updateMany,
  replaceOne,
  deleteOne,
  deleteMany,
  findOneAndUpdate,
  findOneAndReplace,
  findOneAndDelete,
  bulkWrite,
  clientBulkWrite,
  command,
}
