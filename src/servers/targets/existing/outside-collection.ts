import { type Collection } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { createAdminClient } from '../connection/admin-client.ts'
import {
  hintForCause,
  hintForMissingRole,
  isDriverError,
  messageWithoutSecrets,
  type Roles,
} from '../connection/driver-error.ts'
import { parseUri, reachExisting } from './reach-existing.ts'

/** A collection on any server that is not part of what is measured. */
export type OutsideCollection = {
  readonly uri: string
  readonly database: string
  readonly collection: string
  /** For messages, without user and password: "perf.results on localhost:27017". */
  readonly place: string
}

/**
 * Reaches the server of a URI such as mongodb://host:27017/perf.results. As in other URIs, users belong to the database in it unless
 * `authSource` names another.
 * @param from What holds the URI, for messages.
 * @throws {Problem} "usage" where it names no collection, "target-unreachable" where the server cannot be used.
 */
export async function reachCollection(given: string, from: string): Promise<OutsideCollection> {
  const parsed = parseUri(given, from)
  const [, database, collection] = /^\/([\w-]+)\.([\w.-]+)$/.exec(parsed.pathname) ?? []
  if (database === undefined || collection === undefined)
    throw new Problem('usage', `The URI of ${from} names no collection for results`, {
      hint: 'Put a database and a collection behind the host, of letters, digits, hyphens and underscores: mongodb://host:27017/perf.results',
    })
  parsed.pathname = `/${database}`
  const { uri } = await reachExisting(from, { uri: () => parsed.toString(), allowRemote: true })
  return { uri, database, collection, place: `${database}.${collection} on ${parsed.hosts.join(',')}` }
}

/**
 * Works with a collection over a connection of its own, so that none is open while something is measured.
 * @param roles Those that the user needs for it, where the server refuses.
 * @throws {Problem} "target-unreachable" where the server fails or refuses.
 */
export async function useCollection<Found>(
  { uri, database, collection, place }: OutsideCollection,
  roles: Roles,
  work: (collection: Collection) => Promise<Found>,
): Promise<Found> {
  try {
    await using client = createAdminClient(uri, { uriFrom: place, reachMs: 10_000 })
    return await work(client.db(database).collection(collection))
  } catch (error) {
    if (!isDriverError(error)) throw error
    throw new Problem('target-unreachable', `${place} cannot be used: ${messageWithoutSecrets(error, uri)}`, {
      hint:
        hintForMissingRole(error, { uri, database, roles }) ??
        hintForCause(error) ??
        'Check that the server runs, and that it takes writes.',
    })
  }
}
