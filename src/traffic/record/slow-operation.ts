import { type Document, serialize } from 'bson'
import { isDocument } from '../../language/values/bson-types.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'
import { type SessionNumbers } from './read-request.ts'

/** An operation in a profile or in a log of slow operations. */
export type SlowOperation = {
  /** When it ended. */
  readonly endMs: number
  readonly durationMs: number
  /** Kind, as a profile calls it. */
  readonly op: string
  readonly namespace: string
  readonly command: Document
  /** What stands for its connection. */
  readonly client: string
  readonly code: number
  readonly found: number | null
  readonly modified: number | null
  readonly cursor: bigint | null
  readonly replyBytes: number
}

/** Numbers what a server names by texts, from 0. */
export type Numbering = { readonly connection: (client: string) => number; readonly session: SessionNumbers }

const omitted = new Set(['lsid', 'txnNumber', 'startTransaction', 'autocommit', '$clusterTime', '$db', '$truncated'])

/** The call of a slow operation. A string is the reason why there is none, in words. */
export function callOf(operation: SlowOperation, beganMs: number, { connection, session }: Numbering): RecordedCall | string {
  const { command: whole, namespace, endMs, durationMs, found, modified, cursor, code } = operation
  const command = commandOf(operation)
  if (typeof command === 'string') return command
  const { lsid, txnNumber, startTransaction, autocommit } = whole
  const bytes = Buffer.from(serialize(Object.fromEntries(Object.entries(command).filter(([name]) => !omitted.has(name)))))
  const isWrite = ['insert', 'update', 'remove'].includes(operation.op)
  return {
    connection: connection(operation.client),
    startUs: Math.max(0, Math.round((endMs - durationMs - beganMs) * 1000)),
    latencyUs: durationMs * 1000,
    database: typeof whole['$db'] === 'string' ? whole['$db'] : namespace.slice(0, namespace.indexOf('.')),
    name: Object.keys(command)[0] ?? '',
    command: bytes,
    session: isDocument(lsid)
      ? {
          number: session(JSON.stringify(lsid)),
          transactionNumber: txnNumber === undefined ? null : Number(txnNumber),
          transaction: startTransaction === true ? 'starts' : autocommit === false ? 'continues' : 'none',
        }
      : null,
    acknowledged: true,
    requestBytes: bytes.length,
    reply: {
      ok: code === 0,
      code,
      n: isWrite ? found : null,
      nModified: modified,
      cursor,
      documents: isWrite ? null : found,
      digest: null,
      upsertedIds: [],
      bytes: operation.replyBytes,
    },
  }
}

/** Writes are there statement by statement, and inserts without their documents. */
function commandOf({ op, namespace, command }: SlowOperation): Document | string {
  const collection = namespace.slice(namespace.indexOf('.') + 1)
  if ('$truncated' in command) return 'operations that the server truncated'
  if (op === 'insert' || 'insert' in command) return 'inserts, which are there without their documents'
  if (op === 'update' && 'q' in command) return { update: collection, updates: [command] }
  if (op === 'remove' && 'q' in command) return { delete: collection, deletes: [command] }
  if (Object.keys(command).length === 0 || op === 'none') return 'operations without a command'
  return command
}
