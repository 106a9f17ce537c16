import { Problem } from '../errors.ts'

/**
 * When a task has been repeated enough: after the least time, once the iterations are done; at the latest after the most
 * time. The time is that of the iterations alone; one that has begun is finished.
 */
export type Limits = {
  readonly minSeconds: number
  readonly maxSeconds: number
  readonly iterations: number
}

/** What the specification asks for. */
export const rules: Limits = { minSeconds: 60, maxSeconds: 300, iterations: 100 }

/** For a first look: a few minutes for all tasks, by far too little for a score. */
export const quickLimits: Limits = { minSeconds: 1, maxSeconds: 5, iterations: 10 }

export const followsTheRules = ({ minSeconds, maxSeconds, iterations }: Limits): boolean =>
  minSeconds === rules.minSeconds && maxSeconds === rules.maxSeconds && iterations === rules.iterations

/** @param wishes Go before the limits that they are changes of. */
export function resolveLimits(quick: boolean, wishes: Partial<Limits>): Limits {
  const limits = { ...(quick ? quickLimits : rules), ...wishes }
  if (limits.minSeconds <= limits.maxSeconds) return limits
  throw new Problem('usage', `The least time is ${limits.minSeconds} s and the most time ${limits.maxSeconds} s`, {
    hint: 'Give --min-seconds and --max-seconds so that the first is not above the second.',
  })
}
