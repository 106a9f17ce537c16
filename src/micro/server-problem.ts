import { Problem } from '../core/errors.ts'
import { microDatabase } from './collections.ts'
import { hintForMissingRole, rolesToWrite } from '../servers/targets/missing-role.ts'
import { hintForCause, isDriverError, messageWithoutSecrets } from '../servers/targets/driver-error.ts'

/** A driver error as a problem. */
export function asServerProblem(error: unknown, uri: string): unknown {
  if (!isDriverError(error)) return error
  return new Problem('target-unreachable', `The server could not be used: ${messageWithoutSecrets(error, uri)}`, {
    hint:
      hintForMissingRole(error, { uri, database: microDatabase, roles: rolesToWrite }) ??
      hintForCause(error) ??
      'Check that it runs, and that the user of the URI may read and write in mongoperf_micro.',
  })
}
