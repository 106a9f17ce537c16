import { type StopAfter } from '../plan/plan.ts'

export const endings = ['operations', 'documents', 'seconds', 'precision', 'everything failed', 'aborted'] as const
export type EndedBecause = (typeof endings)[number]

/** Why a load is stopped from outside: the reason of the signal that ends it. */
export type StopReason = Extract<EndedBecause, 'precision' | 'aborted'>

/** Decides, before every call of a unit, whether there is one more. */
export type Limits = {
  /** Whether there is no further call. Once true, it stays so. */
  readonly isOver: (nowMs: number) => boolean
  /** A call has been answered. */
  readonly answered: (ok: boolean, nowMs: number) => void
  /** No call was under way for so long, because none was due: time without an ok that means nothing. */
  readonly noteIdle: (ms: number) => void
  /** Why there is no further call; undefined while there is one. */
  readonly endedBecause: () => EndedBecause | undefined
}

/** Number of answers without a single ok from the beginning, or two per worker if that is more, that end a pass. */
export const maxConsecutiveFailures = 20
/** A pass that had an ok before ends after so long without another, or after three deadlines if that is more. */
export const maxFailureMs = 30_000

/**
 * Creates the limits of a unit's pass. One in which everything fails ends early, so that a wrong password or a dead server costs seconds
 * and not the whole run: see `hopelessAnswers` and `hopelessMs`. Faults that a server survives are shorter than that.
 * @param budgetUsedUp Why the budget allows no further call: never an operation or a document more than asked for.
 * @param signal Its reason is a `StopReason`; any other counts as aborted.
 * @param outageMs For how long faults on purpose may keep everything from succeeding: so much more patience. Default 0.
 */
export function createLimits({
  stopAfter: { seconds = Infinity },
  budgetUsedUp,
  workers,
  deadlineMs,
  outageMs = 0,
  startMs,
  signal,
}: {
  readonly stopAfter: Pick<StopAfter, 'seconds'>
  readonly budgetUsedUp: () => 'operations' | 'documents' | undefined
  readonly workers: number
  readonly deadlineMs: number
  readonly outageMs?: number
  readonly startMs: number
  readonly signal: AbortSignal
}): Limits {
  const endMs = startMs + seconds * 1000
  const minAnswersWithoutOk = Math.max(maxConsecutiveFailures, workers * 2)
  const maxMsWithoutOk = Math.max(maxFailureMs, deadlineMs * 3) + outageMs
  let answers = 0
  let lastOkMs: number | undefined
  let reason: EndedBecause | undefined

  const everythingFailed = (nowMs: number): boolean =>
    lastOkMs === undefined
      ? answers >= minAnswersWithoutOk && nowMs - startMs >= outageMs
      : nowMs - lastOkMs >= maxMsWithoutOk

  // The budget goes first: a pass that has sent all it was asked for is complete, whoever pressed Ctrl-C meanwhile.
  function reasonToEnd(nowMs: number): EndedBecause | undefined {
    const usedUp = budgetUsedUp()
    if (usedUp !== undefined) return usedUp
    if (nowMs >= endMs) return 'seconds'
    if (signal.aborted) return signal.reason === 'precision' ? 'precision' : 'aborted'
    return everythingFailed(nowMs) ? 'everything failed' : undefined
  }

  return {
    isOver(nowMs) {
      reason ??= reasonToEnd(nowMs)
      return reason !== undefined
    },
    answered(ok, nowMs) {
      answers += 1
      if (ok) lastOkMs = nowMs
    },
    noteIdle(ms) {
      if (lastOkMs !== undefined) lastOkMs += ms
    },
    endedBecause: () => reason,
  }
}
