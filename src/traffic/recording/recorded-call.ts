/** A command that an application sent, and what came back. */
export type RecordedCall = {
  /** Number of the connection in the recording, from 0. Calls of one connection come in the order in which they were sent. */
  readonly connection: number
  /**
   * When it was sent, in µs since the recording began. Calls are in the order of their starts, except that a call that took
   * longer than `reorderMs` is placed where it ended.
   */
  readonly startUs: number
  /** Time to the end of the reply, in µs. Null: no reply was seen. */
  readonly latencyUs: number | null
  readonly database: string
  /** Name of the command: its first key. */
  readonly name: string
  /**
   * The command as one BSON document, document sequences folded in as arrays. Without `$db`, `lsid`, `txnNumber`,
   * `startTransaction`, `autocommit` and `$clusterTime`: other fields have them, or they mean nothing later.
   */
  readonly command: Buffer
  /** Null: it named no session. */
  readonly session: RecordedSession | null
  /** False: the client did not want a reply. */
  readonly acknowledged: boolean
  /** Bytes of the message as the client sent it. */
  readonly requestBytes: number
  /** Null: none was seen. */
  readonly reply: RecordedReply | null
}

/** The session that a call names, and its place in a transaction. */
export type RecordedSession = {
  /** Number of the session in the recording, from 0, in place of its `lsid`. */
  readonly number: number
  /** `txnNumber` of a transaction or a retryable write. Null: there is none. */
  readonly transactionNumber: number | null
  /** "starts": the first call of a transaction. "continues": a later one, including commit and abort. "none": not in a transaction. */
  readonly transaction: 'none' | 'starts' | 'continues'
}

/** The part of a reply that is kept. */
export type RecordedReply = {
  readonly ok: boolean
  /** Code of the error. If the command is ok: of its first write error or its write concern error. 0: there is none. */
  readonly code: number
  /** Documents matched, inserted, deleted or counted. Null: the reply has no `n`. */
  readonly n: number | null
  /** Null: the reply has no `nModified`. */
  readonly nModified: number | null
  /** Id of the cursor. 0: it is exhausted. Null: there is none. */
  readonly cursor: bigint | null
  /** Documents of the batch, values of a `distinct`, the document of a `findAndModify`. Null: the reply has no such field. */
  readonly documents: number | null
  /** Digest of those documents, see `createDigest`. Null: there are no documents, or values are not kept. */
  readonly digest: bigint | null
  /** ObjectIds that an upsert returned, in hexadecimal: the server may have made them. Empty where values are not kept. */
  readonly upsertedIds: readonly string[]
  /** Bytes of the message as the server sent it. */
  readonly bytes: number
  /** Null: the source does not tell; only logs and profiles do. */
  readonly work: RecordedWork | null
}

/** Work of the server for a call, by its log or profile. */
export type RecordedWork = {
  /** Stages and the indexes that they read: "IXSCAN { at: 1 }". Empty: there is no plan. */
  readonly plan: string
  readonly keys: number
  readonly documents: number
}

/** Commands that are never recorded, by their names in lower case, with the reason. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['hello', 'handshakes'],
  ['ismaster', 'handshakes'],
  ['saslstart', 'logins'],
  ['saslcontinue', 'logins'],
  ['authenticate', 'logins'],
  ['getnonce', 'logins'],
  ['logout', 'logins'],
  ['createuser', 'commands with passwords'],
  ['updateuser', 'commands with passwords'],
  ['copydbsaslstart', 'commands with passwords'],
  ['setparameter', 'commands with passwords'],
])

/** The reason why a command of this name must not be written. Undefined: it may be. */
export const reasonKeptOut = (name: string): string | undefined => reasons.get(name.toLowerCase())

/** Names of collections with keys of users and members, as bytes of a command have them. Tools insert into the second one. */
const secrets = (prefix: string): readonly Buffer[] =>
  ['system.users', 'tempusers', 'system.keys'].map((name) => Buffer.from(`${prefix}${name}\0`))
const [onAdmin, elsewhere] = [secrets(''), secrets('admin.')]

/** The reason why a call must not be written: its name, or a collection that it is on or names, as `applyOps` and `bulkWrite` do. */
export const reasonCallKeptOut = ({ name, database, command }: RecordedCall): string | undefined =>
  reasonKeptOut(name) ??
  ((database === 'admin' ? onAdmin : elsewhere).some((one) => command.includes(one))
    ? 'calls on collections of users and keys'
    : undefined)
