import { emptyReply, type ErrorDetails, type Failure, type Outcome, type Reply } from './engine.ts'

type FailureKind = 'failed' | 'unknown'

/**
 * By class, not by label: only the first call on a killed primary gets the driver's labels, all others in flight reject
 * without (driver 7.8). By the class's name, because the driver module is handed in and two versions of it do not share
 * their classes, and because it exports only some of them.
 */
const verdicts: ReadonlyMap<string, FailureKind> = new Map([
  // Before anything was sent.
  ['MongoServerSelectionError', 'failed'],
  ['MongoWaitQueueTimeoutError', 'failed'],
  ['MongoPoolClearedError', 'failed'],
  ['MongoPoolClosedError', 'failed'],
  ['MongoTopologyClosedError', 'failed'],
  ['MongoServerClosedError', 'failed'],
  ['MongoNotConnectedError', 'failed'],
  ['MongoAPIError', 'failed'],
  ['MongoInvalidArgumentError', 'failed'],
  ['MongoCompatibilityError', 'failed'],
  ['MongoMissingCredentialsError', 'failed'],
  ['MongoClientBulkWriteExecutionError', 'failed'],
  // The server answered, and refused.
  ['MongoServerError', 'failed'],
  ['MongoBulkWriteError', 'failed'],
  // Chunks of a file are missing, or of the wrong size.
  ['MongoGridFSChunkError', 'failed'],
  // On its way: what became of it is not known.
  ['MongoNetworkError', 'unknown'],
  ['MongoNetworkTimeoutError', 'unknown'],
  ['PoolClearedOnNetworkError', 'unknown'],
  ['MongoOperationTimeoutError', 'unknown'],
  ['MongoClientClosedError', 'unknown'],
  // Acknowledged with counts that no such call has.
  ['ImpossibleCounts', 'unknown'],
  // Done by the primary, not acknowledged by the members that were asked for.
  ['MongoWriteConcernError', 'unknown'],
])

/**
 * Answers of a server that had begun with the call, or of a router that lost its shard: a write may have been done, or a
 * part of it.
 */
const unknownCodes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  50, // MaxTimeMSExpired
  89, // NetworkTimeout
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  9001, // SocketException
  11600, // InterruptedAtShutdown
  11601, // Interrupted
  11602, // InterruptedDueToReplStateChange
])

/** Entries of bulk writes come without their code's name. */
const codeNames: ReadonlyMap<string, string> = new Map([
  ['64', 'WriteConcernFailed'],
  ['112', 'WriteConflict'],
  ['121', 'DocumentValidationFailure'],
  ['11000', 'DuplicateKey'],
  // Of buckets, whose driver speaks as a file system does.
  ['ENOENT', 'FileNotFound'],
])

/** Properties that the driver's errors share, as far as we look. */
type DriverError = Error & {
  readonly code?: unknown
  readonly codeName?: unknown
  readonly beforeHandshake?: boolean
  readonly errorLabels?: readonly string[]
  readonly hasErrorLabel?: (label: string) => boolean
}

/** Counts of a bulk write, or of its part before it failed. */
export type BulkCounts = {
  readonly insertedCount: number
  readonly matchedCount: number
  readonly modifiedCount: number
  readonly upsertedCount: number
  readonly deletedCount: number
}

type BulkError = DriverError & {
  readonly errorResponse: unknown
  readonly result: BulkCounts & {
    readonly getWriteErrors: () => readonly { readonly code: number }[]
    readonly getWriteConcernError: () => { readonly code?: number; readonly errmsg?: string } | undefined
  }
}

/** Error of the client's `bulkWrite`, which the driver built anew. */
type ClientBulkError = DriverError & {
  readonly cause?: unknown
  readonly writeErrors: ReadonlyMap<number, { readonly code: number; readonly message: string }>
  readonly writeConcernErrors: readonly { readonly code: number; readonly message: string }[]
  readonly partialResult?: BulkCounts
}

/** An error that a call was rejected with, as the outcome of that call. */
export function toOutcome(thrown: unknown): Failure {
  const error: DriverError = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (isClientBulk(error)) return clientBulkOutcome(error)
  return isBulk(error) ? bulkOutcome(error) : { kind: verdictOn(error), ...describe(error), reply: emptyReply }
}

/** Errors that the driver throws when it has sent a call a second time, or looked for a server to send it to. */
const afterRetries: ReadonlySet<string> = new Set(['MongoServerSelectionError', 'MongoPoolClearedError'])

/**
 * An error of a write that the driver may have sent twice by itself. It is about the last sending alone: what the first one
 * did is not known, unless both have done nothing, or the server refused what no driver sends again.
 */
export function toRetriedOutcome(thrown: unknown): Failure {
  const outcome = toOutcome(thrown)
  const { labels } = outcome
  if (labels.includes('NoWritesPerformed')) return outcome
  const wasRetried = labels.includes('RetryableWriteError') || afterRetries.has(outcome.name)
  return wasRetried ? { ...outcome, kind: 'unknown' } : outcome
}

/** Sent and not answered, in the driver's words: its sockets wait as long as the deadline, which is a moment less. */
export const isUnanswered = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown' && outcome.code === 'MongoNetworkTimeoutError'

const isClientBulk = (error: DriverError): error is ClientBulkError => error.name === 'MongoClientBulkWriteError'
const isBulk = (error: DriverError): error is BulkError => error.name === 'MongoBulkWriteError'

function describe(error: DriverError, code = error.code): ErrorDetails {
  const text = code === undefined ? error.name : String(code)
  const name = typeof error.codeName === 'string' ? error.codeName : (codeNames.get(text) ?? error.name)
  return { code: text, name, message: error.message, labels: error.errorLabels?.toSorted() ?? [] }
}

function verdictOn(error: DriverError): FailureKind {
  if (wasNeverSent(error) || error.code === 'ENOENT') return 'failed'
  if (unknownCodes.has(error.code)) return 'unknown'
  // What is not listed: another error of the driver came after the send; anything else is about the arguments.
  return verdicts.get(error.name) ?? (error.name.startsWith('Mongo') ? 'unknown' : 'failed')
}

/** A connection that broke while it was opened has carried no call. Unlike others, this label is set every time. */
const wasNeverSent = (error: DriverError): boolean =>
  error.beforeHandshake === true || error.hasErrorLabel?.('HandshakeError') === true

/** A bulk write (`insertMany` is one) wraps whatever went wrong, and knows what was done before. */
function bulkOutcome(error: BulkError): Failure {
  if (error.errorResponse instanceof Error) {
    const cause: DriverError = error.errorResponse
    return { kind: verdictOn(cause), ...describe(cause), reply: partOfBulk(error.result) }
  }
  // Whatever was written, nothing of it was acknowledged by the members that were asked for.
  const concernError = error.result.getWriteConcernError()
  if (concernError) return unconfirmed(error, concernError.code, concernError.errmsg)
  const refused = error.result.getWriteErrors()
  const [writeError] = refused
  if (writeError) return { ...refusedWrites(error, refused, writeError), reply: partOfBulk(error.result) }
  return { kind: verdictOn(error), ...describe(error), reply: partOfBulk(error.result) }
}

/** The outcome of a bulk that goes over several collections; its own message shows only that something went wrong. */
function clientBulkOutcome(error: ClientBulkError): Failure {
  const reply = error.partialResult ? partOfBulk(error.partialResult) : emptyReply
  if (error.cause instanceof Error) return { kind: verdictOn(error.cause), ...describe(error.cause), reply }
  const [writeError] = error.writeErrors.values()
  const [concernError] = error.writeConcernErrors
  if (writeError === undefined || concernError) return unconfirmed(error, concernError?.code, concernError?.message)
  return { ...refusedWrites(error, [...error.writeErrors.values()], writeError), message: writeError.message, reply }
}

type Refused = { readonly code: number }

const refusedWrites = (error: DriverError, refused: readonly Refused[], { code }: Refused): Omit<Failure, 'reply'> => ({
  kind: 'failed',
  ...describe(error, code),
  codes: [...new Set(refused.map((one) => String(one.code)))],
})

const unconfirmed = (error: DriverError, code = error.code, message = error.message): Failure => ({
  kind: 'unknown',
  ...describe(error, code),
  message,
  reply: emptyReply,
})

export function partOfBulk(result: BulkCounts): Reply {
  const { insertedCount: inserted, matchedCount: matched, modifiedCount: modified, upsertedCount: upserted } = result
  const deleted = result.deletedCount
  const documents = inserted + modified + upserted + deleted
  return { ...emptyReply, documents, matched, modified, upserted, inserted, deleted }
}
