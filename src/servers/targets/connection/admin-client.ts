import { MongoClient, type MongoClientOptions } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { messageWithoutSecrets } from './driver-error.ts'
import { connectTimeout, nameApplication } from './uri-options.ts'

/** Purpose of a client other than preparing and checking the data of a run. */
export type AdminPurpose = 'advise' | 'faults' | 'index' | 'init' | 'sampler'

/** Returns the name of a client in the server's log and profile. */
export const appNameFor = (purpose?: AdminPurpose): string =>
  purpose === undefined ? 'mongo-perf' : `mongo-perf ${purpose}`

/** Options of a client that sends administrative commands to a server; times are in ms. */
export type AdminClientOptions = {
  readonly purpose?: AdminPurpose
  /** Names what gives the URI, for the message where the driver does not accept it. */
  readonly uriFrom?: string
  /** Maximum time in ms to find a server and to connect to it. Default: as in the URI, else 30,000 to find one, and `connectTimeout` to connect. */
  readonly reachMs?: number
  /**
   * Maximum time in ms for a reply. With it, commands are polls: over one connection, and not repeated. Default:
   * no limit, and reads are repeated once.
   */
  readonly pollMs?: number
  readonly writeConcern?: MongoClientOptions['writeConcern']
  /** Whether events say to which member a command goes. Default false. */
  readonly showsMembers?: boolean
}

/**
 * The driver's client for everything on a server that is not measured. Not connected yet; disposing closes it.
 * @throws {Problem} "usage" when the driver does not accept the URI; without the URI, which holds the password.
 */
export function createAdminClient(uri: string, options: AdminClientOptions = {}): MongoClient {
  const { purpose, uriFrom = 'the server', reachMs, pollMs, writeConcern, showsMembers = false } = options
  try {
    return new MongoClient(uri, {
      appName: nameApplication(uri, appNameFor(purpose)),
      ...(reachMs !== undefined && { serverSelectionTimeoutMS: reachMs }),
      // That of a URI is for the load, whose phases set it.
      waitQueueTimeoutMS: 0,
      monitorCommands: showsMembers,
      // Closing it waits for as long, where a server has frozen.
      ...(reachMs === undefined ? connectTimeout(uri) : { connectTimeoutMS: reachMs }),
      ...(pollMs !== undefined && pollOptions(pollMs)),
      ...(writeConcern !== undefined && { writeConcern }),
    })
  } catch (error) {
    const reason = messageWithoutSecrets(error, uri)
    throw new Problem('usage', `The driver does not accept the URI of ${uriFrom}: ${reason}`, {
      hint: 'Check the names and values of its options.',
    })
  }
}

const pollOptions = (pollMs: number): MongoClientOptions => ({
  maxPoolSize: 1,
  minPoolSize: 0,
  retryReads: false,
  socketTimeoutMS: pollMs,
  waitQueueTimeoutMS: pollMs,
})
