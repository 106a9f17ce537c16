import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type ConnectionOptions as TlsOptions } from 'node:tls'
import { type HostAddress, type MongoClient } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { type Login } from './log-in.ts'

/** Settings of a connection to one server. Holds secrets. */
export type ConnectionSettings = {
  readonly address: ServerAddress
  /** Absent: it is not encrypted. */
  readonly tls?: TlsOptions
  /** Absent: without a login. */
  readonly login?: Login
  /** Name of the client in the server's log and profile. */
  readonly appName: string
  /** For all that comes before the first command. */
  readonly openTimeoutMs: number
}

/** To a server that was started by mongo-perf, which takes plain connections without a login. @param address "host:port". */
export const plainSettings = (address: string): ConnectionSettings => ({
  address: readAddress(address),
  appName: 'mongo-perf admin',
  openTimeoutMs: 10_000,
})

/** The longest time that a timer of Node takes. */
const maxTimerMs = 2 ** 31 - 1

type ClientOptions = MongoClient['options']
/** Host in the driver's form: from its options, or of a server that it has found. */
type Host = { readonly [Part in 'host' | 'port' | 'socketPath']?: HostAddress[Part] }

/**
 * To a server as a client of the driver connects to it: with the TLS options and the credentials of its URI.
 * @throws {Problem} "usage" when the URI asks for something that only the driver does.
 */
export async function settingsOfClient(options: ClientOptions, host: Host): Promise<ConnectionSettings> {
  const { appName = 'mongo-perf', connectTimeoutMS, tls, credentials } = options
  requireSupported(options)
  return {
    address: toAddress(host),
    ...(tls && { tls: await readTlsOptions(options, host) }),
    ...(credentials !== undefined && { login: findLogin(credentials) }),
    appName,
    openTimeoutMs: connectTimeoutMS === 0 ? maxTimerMs : connectTimeoutMS,
  }
}

/** @throws {Problem} "usage" when a URI asks for something that only the driver does. */
export function requireSupported(options: ClientOptions): void {
  const needed = neededOfDriver(options)
  if (needed !== undefined) throw unsupported(needed)
}

/** The option of a URI that only the driver does. Undefined: there is none. */
export function neededOfDriver({ loadBalanced, proxyHost, credentials }: ClientOptions): string | undefined {
  if (loadBalanced) return 'loadBalanced=true'
  if (proxyHost !== undefined) return 'proxyHost'
  const mechanism = credentials?.mechanism
  return mechanism === undefined || mechanism in logins ? undefined : `authMechanism=${mechanism}`
}

const toAddress = ({ host = '', port = 0, socketPath }: Host): ServerAddress =>
  socketPath === undefined ? { host, port } : { path: socketPath }

/** TLS options that a URI can set and the driver hands on to a TLS socket. */
const tlsOptions = ['ca', 'crl', 'cert', 'key', 'passphrase', 'rejectUnauthorized', 'checkServerIdentity'] as const

async function readTlsOptions(options: ClientOptions, { host }: Host): Promise<TlsOptions> {
  const { tlsCAFile, tlsCRLFile, tlsCertificateKeyFile } = options
  const [ca, crl, key] = await Promise.all([tlsCAFile, tlsCRLFile, tlsCertificateKeyFile].map(readOptionalFile))
  const read = { ca, crl, cert: key, key }
  const given = tlsOptions.map((name) => [name, options[name]] as const).filter(([, value]) => value != null)
  return {
    ...Object.fromEntries(Object.entries(read).filter(([, contents]) => contents !== undefined)),
    ...Object.fromEntries(given),
    // A certificate is chosen by a name, never by an address.
    ...(host !== undefined && isIP(host) === 0 && { servername: host }),
  }
}

const readOptionalFile = async (path: string | undefined): Promise<Buffer | undefined> =>
  path === undefined ? undefined : await readFile(path)

type Credentials = NonNullable<ClientOptions['credentials']>

/** The mechanisms that a connection without the driver logs in by. */
const logins: Readonly<Partial<Record<Credentials['mechanism'], (credentials: Credentials) => Login>>> = {
  DEFAULT: ({ username, password, source }) => ({ mechanism: 'negotiated', username, password, source }),
  'SCRAM-SHA-1': ({ username, password, source }) => ({ mechanism: 'SCRAM-SHA-1', username, password, source }),
  'SCRAM-SHA-256': ({ username, password, source }) => ({ mechanism: 'SCRAM-SHA-256', username, password, source }),
  'MONGODB-X509': ({ username, source }) => ({ mechanism: 'MONGODB-X509', username, source }),
}

function findLogin(credentials: Credentials): Login {
  const login = logins[credentials.mechanism]
  if (login === undefined) throw unsupported(`authMechanism=${credentials.mechanism}`)
  return login(credentials)
}

const unsupported = (option: string): Problem =>
  new Problem('usage', `A connection without the driver does not support "${option}", which the URI asks for`, {
    hint: 'It supports TCP, Unix sockets and TLS, with SCRAM-SHA-1, SCRAM-SHA-256 and MONGODB-X509.',
  })

/** Address of a server: host and port, or the path of a Unix socket. */
type ServerAddress = { readonly host: string; readonly port: number } | { readonly path: string }

/** @param text "host:port", or the path of a Unix socket. */
export function readAddress(text: string): ServerAddress {
  if (text.startsWith('/')) return { path: text }
  const { hostname, port } = new URL(`mongodb://${text}`)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

/** Returns an address as text: the path of a socket, or "host:port". */
export const addressText = (address: ServerAddress): string =>
  'path' in address ? address.path : `${address.host}:${address.port}`
