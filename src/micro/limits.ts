import { Problem } from '../core/errors.ts'

/**
 * When a task stops: after the minimum time and the iterations, at the latest after the maximum time. The time is that of
 * the iterations alone; an iteration in progress is completed.
 */
export type Limits = {
  readonly minSeconds: number
  readonly maxSeconds: number
  readonly iterations: number
}

/** The limits of the specification. */
export const rules: Limits = { minSeconds: 60, maxSeconds: 300, iterations: 100 }

/** For a quick run of a few minutes, which is far too short for a score. */
export const quickLimits: Limits = { minSeconds: 1, maxSeconds: 5, iterations: 10 }

/** Whether limits are those of the specification. */
export const followsTheRules = ({ minSeconds, maxSeconds, iterations }: Limits): boolean =>
  minSeconds === rules.minSeconds && maxSeconds === rules.maxSeconds && iterations === rules.iterations

/**
 * The limits of a run.
 * @param requested Limits that replace those of the specification, or of the quick run.
 */
export function resolveLimits(quick: boolean, requested: Partial<Limits>): Limits {
  const { minSeconds, maxSeconds, iterations } = { ...(quick ? quickLimits : rules), ...requested }
  if (minSeconds <= maxSeconds) return { minSeconds, maxSeconds, iterations }
  throw new Problem('usage', `The minimum time is ${minSeconds} s and the maximum time ${maxSeconds} s`, {
    hint: 'Set --min-seconds and --max-seconds so that the first is not above the second.',
  })
}
