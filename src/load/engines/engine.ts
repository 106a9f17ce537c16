import { distinct } from '../../core/json.ts'
import { type Concerns, type ReadPreference, type StepConcerns, resolveConcerns } from './concerns.ts'
import type { MethodKind, NamedArguments, Namespace } from './intent.ts'
import { type ReplyKind, replyTraits } from './reply-traits.ts'

/** Reported before a run where the spec shows it, and in it where only the server does. */
export const needsReplicaSet = 'a change stream needs a replica set, and a standalone server is not one'

/** An event of a change stream, as it comes into the client's hands. */
export type StreamEvent = {
  /** Such as "insert". */
  readonly type: string
  /** From the write to now. Null: the server does not report when it wrote. */
  readonly lagMs: number | null
}

/** Takes the events of one change stream, and its errors. Times are the clock's. */
export type StreamListener = {
  readonly record: (event: StreamEvent, nowMs: number) => void
  readonly addError: (failure: Failure) => void
}

/** The change streams of a phase while they are open. */
export type OpenStreams = {
  /** Waits until every event of what has been written so far has come: not forever, and not at all once aborted. */
  readonly catchUp: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Facts about an operation's calls that are known before they are made: an engine prepares itself once per phase, and uses that for every call. */
export type EngineMethod = Namespace & {
  /** Name in the spec, for messages. */
  readonly name: string
  readonly kind: MethodKind
  readonly reply: ReplyKind
  /** Name of a function among those that were handed in, for the kind `function`. */
  readonly function?: string | undefined
  readonly concerns?: StepConcerns | undefined
  /** Whether a later step reads the document of the reply. */
  readonly documentIsRead?: boolean
  /** Whether its arguments, or whether it is called, depend on the replies of steps before it. */
  readonly needsReplies?: boolean
}

/** Reported before a run where the spec shows it, and in it where only the server does. */
export const transactionNeedsSet = 'a transaction needs a replica set, and a standalone server is not one'

/** Who begins a transaction again when it has to be: our own runner, or the driver's `withTransaction`. */
export type TransactionRunner = 'managed' | 'withTransaction'

/** How calls are made one transaction. All of it is sent, whatever the phase or the URI define. */
export type TransactionSettings = Concerns & {
  readonly runner: TransactionRunner
  /** How often it is tried in all. Null: the driver's runner has no such number. */
  readonly maxAttempts: number | null
}

/** One timed operation of several calls. */
export type EngineSteps = {
  readonly name: string
  readonly steps: readonly EngineMethod[]
  /** Absent: each call stands for itself. */
  readonly transaction?: TransactionSettings | undefined
}

/** An operation as an engine sees it: one method, or several steps. */
export type EngineOperation = EngineMethod | EngineSteps

/** The methods of operations, those of their steps among them. */
export const methodsIn = (operations: readonly EngineOperation[]): readonly EngineMethod[] =>
  operations.flatMap((operation) => ('steps' in operation ? operation.steps : [operation]))

/** Whether the calls of a method go over connections that are ready, and not over one of their own. */
export const usesPool = ({ kind }: EngineMethod): boolean => kind !== 'connect'

/** Lists the read preferences of operations, each once. */
export const readPreferencesIn = (
  operations: readonly EngineOperation[],
  phase: Concerns,
): readonly ReadPreference[] => {
  const reads = methodsIn(operations).filter(({ reply }) => replyTraits[reply].reads)
  return distinct(reads.map((method) => resolveConcerns(method, phase).readPreference))
}

/** Whether some of them call functions that are handed in. */
export const callsFunctions = (operations: readonly EngineOperation[]): boolean =>
  methodsIn(operations).some(({ kind }) => kind === 'function')

export const transactionsIn = (operations: readonly EngineOperation[]): readonly TransactionSettings[] =>
  operations.flatMap((operation) => ('steps' in operation ? (operation.transaction ?? []) : []))

/** Payload of one call. */
export type Arguments = {
  readonly args: NamedArguments
  /** BSON bytes of the documents that they carry to the server. */
  readonly bytes: number
}

/** Makes the arguments of a step from the replies of the steps before it. Undefined: the step is skipped. */
export type StepCall = (replies: readonly Reply[]) => Arguments | undefined

/** Why a transaction is given up after a step, by the replies so far, that step's own the last. Undefined: it goes on. */
export type AbortTest = (replies: readonly Reply[]) => string | undefined

/** One call, complete: what could be computed before the clock started has been. */
export type Call = Arguments & {
  /** Index of its operation in the phase. */
  readonly operation: number
  /** Only for an operation of several calls, which has no arguments of its own. */
  readonly steps?: readonly StepCall[] | undefined
  /** One for each step of a transaction; undefined where nothing is tested. */
  readonly aborts?: readonly (AbortTest | undefined)[] | undefined
}

/** Effects of a call, equal for all kinds of operation. Bytes are BSON bytes of the documents read; writes carry theirs in the call. */
export type Reply = {
  readonly documents: number
  readonly bytes: number
  /** Matched by a write, or counted. */
  readonly matched: number
  readonly modified: number
  readonly upserted: number
  readonly inserted: number
  readonly deleted: number
  /** BSON of the document that came back, or of the first of several. Null where none did, or nothing reads it. */
  readonly document: Uint8Array | null
}

/** Reply for a call that did nothing, or that was not answered. */
export const emptyReply: Reply = {
  documents: 0,
  bytes: 0,
  matched: 0,
  modified: 0,
  upserted: 0,
  inserted: 0,
  deleted: 0,
  document: null,
}

/**
 * Ok: acknowledged, or failed as the spec expects; of a transaction: committed. Aborted: a transaction was given up on purpose, and nothing was done.
 * Failed: the server or the driver refused, and nothing (or only what is in `reply`) was done. Unknown: a timeout or a lost
 * connection; it may have been done.
 */
export type Outcome = (Ending & { readonly kind: 'ok'; readonly expected?: Failure }) | Aborted | Failure

/** No error, and no throughput. */
export type Aborted = Ending & { readonly kind: 'aborted'; readonly reason: string }

/** The outcome of a call that failed, or whose effect is unknown. */
export type Failure = Ending &
  ErrorDetails & {
    readonly kind: 'failed' | 'unknown'
    /** The codes of all writes that were refused. Absent: only `code`. */
    readonly codes?: readonly string[]
  }

/** Code, name, message and labels of an error. */
export type ErrorDetails = {
  readonly code: string
  readonly name: string
  readonly message: string
  /** Error labels of the server and the driver, such as "RetryableWriteError"; in the order of the alphabet. */
  readonly labels: readonly string[]
}

type Ending = {
  readonly reply: Reply
  /** Steps; of a transaction, those of its last attempt. */
  readonly steps?: readonly StepOutcome[] | undefined
  /** Only for a transaction. */
  readonly transaction?: TransactionTally | undefined
}

/** Whether the server did as it was asked: a transaction that was aborted on purpose is no sign of trouble. */
export const isAnswered = ({ kind }: Outcome): boolean => kind === 'ok' || kind === 'aborted'

export type TransactionTally = {
  /** How often it was begun. */
  readonly attempts: number
  /** Attempts that ended because another transaction had written to the same document: error 112. */
  readonly conflicts: number
  /** How often a commit was sent again. */
  readonly commitRetries: number
  /** Latency of transactions committed on the first attempt. Null: any other. */
  readonly firstTryMs: number | null
  /** Commit latency of committed transactions, retries included. Null: any other. */
  readonly commitMs: number | null
}

/** How one step of a call went. Steps after one that was not ok have none. */
export type StepOutcome = {
  /** Index of the step in its operation. */
  readonly step: number
  readonly ms: number
  /** Bytes that it carried to the server. */
  readonly bytes: number
  /** Arguments sent: documents in them have the `_id`s that the driver gave them. Absent: nothing was sent, or another thread has sent it. */
  readonly given?: Arguments
  /** Undefined: the step was skipped. */
  readonly outcome: Outcome | undefined
}

/** Takes how long a call has waited for a connection, in ms. */
export type RecordWait = (ms: number) => void

export type Connections = {
  /** Resolves when connections for this number of workers are open. Default: for all. */
  readonly warmUp: (workers?: number) => Promise<void>
  /** Reports from now on how long calls wait for a connection, in ms. Absent: the phase has no pool, and none waits. */
  readonly watchPool?: ((record: RecordWait) => void) | undefined
  readonly close: () => Promise<void>
}

/** Sends calls of one phase and never throws: whatever goes wrong with a call is its outcome. */
export type PhaseEngine = Connections & {
  /** @param done Called once with the outcome: when it comes, or inside of `send` by an engine that answers at once. */
  readonly send: (call: Call, done: (outcome: Outcome) => void) => void
}

/**
 * Makes what sends the calls of a method: once, or, where each call draws its collection, for each of them when it is first
 * drawn. The same collection is always the same object.
 */
export function perNamespace<Method extends EngineMethod, Made>(
  method: Method,
  make: (method: Method) => Made,
): (args: NamedArguments) => Made {
  const own = make(method)
  const drawn = new Map<Namespace, Made>()
  return ({ namespace }) => {
    if (namespace === undefined) return own
    const known = drawn.get(namespace)
    if (known !== undefined) return known
    const made = make({ ...method, ...namespace })
    drawn.set(namespace, made)
    return made
  }
}
