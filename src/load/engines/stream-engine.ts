import { type Failure } from './engine.ts'

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
