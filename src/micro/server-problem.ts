import { Problem } from '../errors.ts'
import { isDriverError, messageWithoutSecrets } from '../targets/driver-error.ts'

/** What the driver says about a server, as a problem. */
export function asServerProblem(error: unknown, uri: string): unknown {
  if (!isDriverError(error)) return error
  return new Problem('target-unreachable', `The server could not be used: ${messageWithoutSecrets(error, uri)}`, {
    hint: 'Check that it runs, and that the user of the URI may read and write in mongoperf_micro.',
  })
}
