/** How to read the reply of a method, whichever engine sent it. */
export type ReplyKind = 'document' | 'cursor' | 'insert' | 'insertMany' | 'update' | 'delete'

/** An operation as an engine needs it: prepared once per phase, used for every call. */
export type EngineOperation = {
  /** Name in the spec, for messages. */
  readonly name: string
  /** The driver's name of the method. */
  readonly method: string
  readonly collection: string
  readonly reply: ReplyKind
}

/** One call, complete: what could be computed before the clock started has been. */
export type Call = {
  /** Index of its operation in the phase. */
  readonly operation: number
  /** Positional arguments of the method, options last. */
  readonly args: readonly unknown[]
  /** BSON bytes of the documents that the call carries to the server. */
  readonly bytes: number
}

/** What a call did, equal for all kinds of operation. Bytes are BSON bytes of the documents read; writes carry theirs in the call. */
export type Reply = {
  readonly documents: number
  readonly bytes: number
  readonly matched: number
  readonly modified: number
  readonly upserted: number
  readonly inserted: number
  readonly deleted: number
}

/**
 * Ok: acknowledged. Failed: the server or the driver refused, and nothing (or only what `reply` says) was done.
 * Unknown: a timeout or a lost connection; it may have been done.
 */
export type Outcome =
  | { readonly kind: 'ok'; readonly reply: Reply }
  | {
      readonly kind: 'failed' | 'unknown'
      readonly code: string
      readonly name: string
      readonly message: string
      readonly reply: Reply
    }

/** Sends calls of one phase and never throws: whatever goes wrong with a call is its outcome. */
export type PhaseEngine = {
  readonly send: (call: Call) => Promise<Outcome>
  /** Resolves when a connection stands ready for every worker. */
  readonly warmUp: () => Promise<void>
  readonly close: () => Promise<void>
}
