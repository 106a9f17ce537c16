import { ConnectionString } from 'mongodb-connection-string-url'
import { Problem } from '../../../core/errors.ts'

const pool = '"workers" of the load, or "maxInFlight" of an open one: each has a connection of its own'
const deadline = '"deadlineSeconds" of the phase'

/** Options that cannot hold beside a load, by what sets them in a spec. */
const refused: Readonly<Record<string, string>> = {
  maxPoolSize: pool,
  minPoolSize: pool,
  maxConnecting: pool,
  maxIdleTimeMS: pool,
  waitQueueTimeoutMS: deadline,
  socketTimeoutMS: deadline,
}

/** Options that hold for what mongo-perf does beside the load, and for measured calls in a spec alone. */
const besideLoad: Readonly<Record<string, string>> = {
  w: '"writeConcern"',
  journal: '"writeConcern"',
  wtimeoutMS: '"writeConcern"',
  readConcernLevel: '"readConcern"',
  readPreference: '"readPreference"',
  readPreferenceTags: '"readPreference"',
  maxStalenessSeconds: '"readPreference"',
  serverSelectionTimeoutMS: '"deadlineSeconds"',
  retryReads: '"retries"',
  retryWrites: '"retries"',
}

type Uri = Pick<ConnectionString, 'searchParams'>

/** @throws {Problem} "usage" with the options of a URI that the load sets. */
export function refuseOptions({ searchParams }: Uri, variable: string): void {
  const found = Object.entries(refused).filter(([name]) => searchParams.has(name))
  if (found.length === 0) return
  const ways = [...new Set(found.map(([, way]) => way))]
  throw new Problem(
    'usage',
    `The URI of ${variable} sets ${found.map(([name]) => name).join(', ')}, which the load of a phase sets itself`,
    { hint: `Leave it out of the URI, and set ${ways.join(', and ')}.` },
  )
}

/** A note about options of a URI that do not hold for measured calls. Empty: it has none. */
export function noteOfOptions({ searchParams }: Uri, variable: string): string {
  const found = Object.entries(besideLoad).filter(([name]) => searchParams.has(name))
  const ways = [...new Set(found.map(([, way]) => way))].join(', ')
  const names = found.map(([name]) => name).join(', ')
  const load =
    found.length === 0 ? '' : `${names} of the URI of ${variable}: measured calls go by ${ways} of their phase\n`
  return searchParams.has('appName') ? `${load}appName of the URI of ${variable}: servers see "mongo-perf"\n` : load
}

/**
 * How long a client may take to connect, in ms: by default 10,000, less than the driver's 30,000, since calls wait for it. Empty
 * where the URI says it.
 * @throws {Error} From the parser, with the URI in its message.
 */
export const connectTimeout = (uri: string): { readonly connectTimeoutMS?: number } =>
  new ConnectionString(uri).searchParams.has('connectTimeoutMS') ? {} : { connectTimeoutMS: 10_000 }
