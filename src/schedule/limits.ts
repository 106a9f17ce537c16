import { type StopAfter } from '../plan/plan.ts'

export const endings = ['operations', 'documents', 'seconds', 'everything failed', 'aborted'] as const
export type EndedBecause = (typeof endings)[number]

/** Which limit has been reached by so much; undefined while none has. */
export type ReachedLimit = (operations: number, documents: number, elapsedMs: number) => EndedBecause | undefined

export function reachedLimit({
  operations: mostOperations = Infinity,
  documents: mostDocuments = Infinity,
  seconds = Infinity,
}: StopAfter): ReachedLimit {
  const mostMs = seconds * 1000
  return (operations, documents, elapsedMs) => {
    if (operations >= mostOperations) return 'operations'
    if (documents >= mostDocuments) return 'documents'
    return elapsedMs >= mostMs ? 'seconds' : undefined
  }
}

/** Decides, before every call, whether there is one more. */
export type Limits = {
  /** The clock of `seconds` starts with the first call sent. */
  readonly start: (nowMs: number) => void
  /** How many documents the next call may ask for; 0 when there is no next call. */
  readonly documentsLeft: (nowMs: number) => number
  /** Takes a call that is about to be sent off the budget. */
  readonly take: (documents: number) => void
  /** Tells of an answer. */
  readonly answered: (documents: number, ok: boolean, nowMs: number) => void
  /** No call was under way for so long, because none was due: time without an ok that says nothing. */
  readonly rested: (ms: number) => void
  /** Answered so far. */
  readonly operations: () => number
  readonly documents: () => number
  /** How much of the nearest limit is used up, 0 to 1. */
  readonly fraction: (nowMs: number) => number
  /** Why there is no next call; undefined while there is one. */
  readonly endedBecause: () => EndedBecause | undefined
}

/** So many answers without a single ok from the beginning, or two per worker if that is more, end a pass. */
export const hopelessAnswers = 20
/** A pass that had an ok before ends after so long without another, or after three deadlines if that is more. */
export const hopelessMs = 30_000

/**
 * The budget of one pass: never an operation or a document more than asked for, no call sent after the seconds are over.
 * A pass in which everything fails ends early, so that a wrong password or a dead server costs seconds and not the whole
 * run: see `hopelessAnswers` and `hopelessMs`. Faults that a server survives are shorter than that.
 * @param outageMs For how long faults on purpose may keep everything from succeeding: so much more patience. Default 0.
 */
export function createLimits({
  stopAfter,
  workers,
  deadlineMs,
  outageMs = 0,
  signal,
}: {
  readonly stopAfter: StopAfter
  readonly workers: number
  readonly deadlineMs: number
  readonly outageMs?: number
  readonly signal: AbortSignal
}): Limits {
  const mostOperations = stopAfter.operations ?? Infinity
  const mostDocuments = stopAfter.documents ?? Infinity
  const mostMs = (stopAfter.seconds ?? Infinity) * 1000
  const reached = reachedLimit(stopAfter)
  const firstAnswersWithoutOk = Math.max(hopelessAnswers, workers * 2)
  const longestWithoutOkMs = Math.max(hopelessMs, deadlineMs * 3) + outageMs

  let startMs: number | undefined
  let operationsTaken = 0
  let documentsTaken = 0
  let operations = 0
  let documents = 0
  let lastOkMs: number | undefined
  let reason: EndedBecause | undefined

  const elapsedMs = (nowMs: number): number => (startMs === undefined ? 0 : nowMs - startMs)

  const everythingFailed = (nowMs: number): boolean =>
    lastOkMs === undefined
      ? operations >= firstAnswersWithoutOk && elapsedMs(nowMs) >= outageMs
      : nowMs - lastOkMs >= longestWithoutOkMs

  // The budget goes first: a pass that has sent all it was asked for is complete, whoever pressed Ctrl-C meanwhile.
  function reasonToEnd(nowMs: number): EndedBecause | undefined {
    const limit = reached(operationsTaken, documentsTaken, elapsedMs(nowMs))
    if (limit !== undefined) return limit
    if (signal.aborted) return 'aborted'
    return everythingFailed(nowMs) ? 'everything failed' : undefined
  }

  return {
    start: (nowMs) => void (startMs = nowMs),
    documentsLeft(nowMs) {
      reason ??= reasonToEnd(nowMs)
      return reason === undefined ? mostDocuments - documentsTaken : 0
    },
    take(asked) {
      operationsTaken += 1
      documentsTaken += asked
      if (documentsTaken > mostDocuments) {
        throw new Error(`A call asks for ${asked} documents, ${documentsTaken - mostDocuments} more than were left`)
      }
    },
    answered(asked, ok, nowMs) {
      operations += 1
      documents += asked
      if (ok) lastOkMs = nowMs
    },
    rested(ms) {
      if (lastOkMs !== undefined) lastOkMs += ms
    },
    operations: () => operations,
    documents: () => documents,
    fraction: (nowMs) =>
      Math.min(1, Math.max(operations / mostOperations, documents / mostDocuments, elapsedMs(nowMs) / mostMs)),
    endedBecause: () => reason,
  }
}
