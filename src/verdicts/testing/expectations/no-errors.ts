import { type Expectation, firstError } from './judgement.ts'

/** No call failed, neither in the rounds nor before them. */
export const noErrors: Expectation<readonly []> = (measurement) => {
  const { calls, firstErrors } = measurement
  const [early] = firstErrors
  if (early !== undefined) return { verdict: 'missed', because: `failed before anything was timed: ${early}.` }
  if (calls.failed === 0) return { verdict: 'holds', because: `had no error in ${calls.ok} operations.` }
  return {
    verdict: 'missed',
    because: `failed in ${calls.failed} of ${calls.ok + calls.failed} operations${firstError(measurement)}.`,
  }
}
