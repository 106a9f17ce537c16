import { type MongoClient, MongoServerError } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { appNameFor, createAdminClient } from '../../servers/targets/admin-client.ts'
import { hintForCause, isDriverError, messageWithoutSecrets } from '../../servers/targets/driver-error.ts'
import { hintForMissingRole, rolesToRead } from '../../servers/targets/missing-role.ts'
import { startTarget, targetSpec } from '../../servers/targets/index.ts'
import { type StartContext } from '../../servers/targets/target.ts'

/** The application name of mongo-perf's own operations in a server's profile and log. */
export const visitorName = appNameFor('init')

/** Code of the server's error MaxTimeMSExpired. */
const maxTimeExpired = 50

/** Connects to the server of MONGO_PERF_URI, under the same rules as a run, and calls `read` with the client. */
export async function visit<Result>(
  start: StartContext,
  read: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  await using target = await startTarget(targetSpec.parse({ kind: 'existing' }), start)
  if (start.signal.aborted) throw stopped()
  await using client = createAdminClient(target.uri, { purpose: 'init' })
  const leave = (): void => void client.close()
  start.signal.addEventListener('abort', leave)
  try {
    return await read(client)
  } catch (error) {
    throw start.signal.aborted ? stopped() : explained(error, target.uri)
  } finally {
    start.signal.removeEventListener('abort', leave)
  }
}

const stopped = (): Problem => new Problem('aborted', 'Stopped before a spec was written', { hint: 'Run it again.' })

function explained(error: unknown, uri: string): unknown {
  if (!isDriverError(error)) return error
  const reason = messageWithoutSecrets(error, uri)
  const code = error instanceof MongoServerError ? error.code : undefined
  const hint = hintForMissingRole(error, { uri, database: 'admin', roles: rolesToRead })
  if (hint !== undefined)
    return new Problem('target-unreachable', `The user of the URI may not read the collection: ${reason}`, { hint })
  if (code === maxTimeExpired)
    return new Problem('target-unreachable', `The server needed too long to sample the collection: ${reason}`, {
      hint: 'Take a smaller sample with --sample; the server computes a whole view to sample it.',
    })
  return new Problem('target-unreachable', `The server could not be read: ${reason}`, {
    hint: hintForCause(error) ?? 'Check that it runs and that this machine can reach it.',
  })
}
