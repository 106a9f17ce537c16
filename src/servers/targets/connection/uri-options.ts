import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../../core/errors.ts'

const pool = '"pool" of the phase (filled before the first operation; it keeps its connections)'

/** Options that cannot hold beside a load, by what sets them in a spec. Phases decide about those of the pool that are not here. */
const refused: Readonly<Record<string, string>> = {
  minPoolSize: pool,
  maxIdleTimeMS: pool,
  socketTimeoutMS: '"deadlineSeconds" of the phase',
}

type Uri = Pick<ConnectionString, 'searchParams'>

/** @throws {Problem} "usage" with the options of a URI that the load sets. */
export function refuseOptions({ searchParams }: Uri, name: string): void {
  const found = Object.entries(refused).filter(([option]) => searchParams.has(option))
  if (found.length === 0) return
  const ways = [...new Set(found.map(([, way]) => way))]
  throw new Problem(
    'usage',
    `The URI of ${name} sets ${found.map(([option]) => option).join(', ')}, which the load of a phase sets itself`,
    { hint: `Leave it out of the URI, and set ${ways.join(' and ')}.` },
  )
}

/**
 * Returns a note about retries that a URI allows, as every driver does by default. Measured calls are retried where their phase
 * says so, since a retry hides an error. Empty: it says nothing of them.
 */
export function noteRetries({ searchParams }: Uri, name: string): string {
  const found = ['retryReads', 'retryWrites'].filter((option) => searchParams.get(option) === 'true')
  return found.length === 0
    ? ''
    : `${found.join(', ')} of the URI of ${name}: measured operations are retried where "retries" of their phase is "driver"\n`
}

const ownName = 'mongo-perf'
/** Maximum length of an application name, in bytes, by the handshake of MongoDB. */
const maxNameBytes = 128

/**
 * Returns the name by which servers know a client, in their logs and profiles: that of the URI with ours behind it, since a run
 * finds its own operations by it.
 * @param own Default: "mongo-perf".
 * @throws {Error} From the parser, with the URI in its message.
 */
export function nameApplication(uri: string, own = ownName): string {
  const given = new ConnectionString(uri).searchParams.get('appName')
  const addition = ` via ${own}`
  if (given === null) return own
  // A character that is cut in the middle becomes a replacement character, of up to three bytes.
  return `${Buffer.from(given).subarray(0, maxNameBytes - addition.length - 3)}${addition}`
}

/**
 * Returns how long a client may look for a server, in ms: as long as its URI says, but no longer than a maximum.
 * @throws {Error} From the parser, with the URI in its message.
 */
export function boundSelection(uri: string, maxMs: number): number {
  const asked = Number(new ConnectionString(uri).searchParams.get('serverSelectionTimeoutMS') ?? maxMs)
  return asked > 0 ? Math.min(asked, maxMs) : maxMs
}

/**
 * How long a client may take to connect, in ms: by default 10,000, less than the driver's 30,000, since calls wait for it. Empty
 * where the URI says it.
 * @throws {Error} From the parser, with the URI in its message.
 */
export const connectTimeout = (uri: string): { readonly connectTimeoutMS?: number } =>
  new ConnectionString(uri).searchParams.has('connectTimeoutMS') ? {} : { connectTimeoutMS: 10_000 }
