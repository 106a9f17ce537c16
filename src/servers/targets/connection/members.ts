import { type Document } from 'mongodb'
import { ConnectionString } from 'mongodb-connection-string-url'

/** The deployment of a server, as its `hello` reports it. */
export type Hello = {
  /** "isdbgrid": it is a router. */
  readonly msg?: string
  readonly setName?: string
  readonly hosts: readonly string[]
  readonly passives: readonly string[]
  readonly arbiters: readonly string[]
}

/** Reads a reply to `hello`, in whatever form: other servers send null for an empty list, or leave it out. */
export function readHello({ msg, setName, hosts, passives, arbiters }: Document): Hello {
  return {
    ...(typeof msg === 'string' && { msg }),
    ...(typeof setName === 'string' && { setName }),
    hosts: textsIn(hosts),
    passives: textsIn(passives),
    arbiters: textsIn(arbiters),
  }
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Options that are about a whole deployment, and make no sense (or an error) in a connection to one of its members. */
const deploymentOptions = [
  'replicaSet',
  'loadBalanced',
  'srvMaxHosts',
  'srvServiceName',
  'readPreference',
  'readPreferenceTags',
  'maxStalenessSeconds',
]

/** The sampler subtracts its own bytes, uncompressed, from those that a server counts. */
const removedOptions = [...deploymentOptions, 'compressors']

/**
 * The URI of one member of a deployment, reached directly with the same credentials and TLS options.
 * @param host "name:port", as the deployment names its member, or the path of a Unix socket.
 */
export function memberUri(uri: string, host: string): string {
  const isSRV = uri.startsWith('mongodb+srv:')
  const direct = new ConnectionString(uri.replace(/^mongodb\+srv:/, 'mongodb:'))
  direct.hosts = [host.startsWith('/') ? encodeURIComponent(host) : host]
  for (const option of removedOptions) direct.searchParams.delete(option)
  // A "mongodb+srv" URI switches TLS on by itself, a plain one does not.
  if (isSRV && !direct.searchParams.has('tls') && !direct.searchParams.has('ssl'))
    direct.searchParams.set('tls', 'true')
  direct.searchParams.set('directConnection', 'true')
  return direct.toString()
}
