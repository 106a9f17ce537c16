import { type WatchTimes } from '../keys.ts'

/** Claim on an agent as it knows it: the claim holds until then, unless the coordinator renews it. */
export type Claim = { readonly run: string; readonly untilMs: number }

/**
 * Why an agent ends what it does for a run. Undefined: it goes on.
 * @param known Its claim, as it was when the queue last answered.
 * @param seen The claim that the queue shows now. Undefined: none; "no answer": the queue is silent.
 */
export function reasonToLeave(
  known: Claim,
  seen: Claim | undefined | 'no answer',
  { nowMs, times }: { readonly nowMs: number; readonly times: Pick<WatchTimes, 'claimedForMs'> },
): string | undefined {
  if (seen === undefined) return 'it is over'
  if (seen !== 'no answer') return seen.run === known.run ? undefined : 'another run has claimed this agent'
  return nowMs < known.untilMs ? undefined : `its coordinator has not been seen for ${times.claimedForMs / 1000} s`
}

/** The claim that the queue shows, from the time that it has left: counted from the question, it is never too long. */
export const createClaim = (
  run: string,
  { askedMs, leftMs }: { readonly askedMs: number; readonly leftMs: number },
): Claim => ({
  run,
  untilMs: askedMs + leftMs,
})
