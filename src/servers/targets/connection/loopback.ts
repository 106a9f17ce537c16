import { BlockList, isIP } from 'node:net'
import os from 'node:os'
import { type ConnectionString } from 'mongodb-connection-string-url'
import { decodePercents } from '../../../core/printable.ts'

const addressesHere = new BlockList()
addressesHere.addSubnet('127.0.0.0', 8, 'ipv4')
addressesHere.addAddress('::1', 'ipv6')

/**
 * Whether a host ("localhost:27017", "[::1]:27017", "%2Ftmp%2Fmongodb.sock") is this machine, as far as its name shows.
 * What resolvers read in ways of their own may be anywhere: "localhost.", "0.0.0.0", "127.1", "0x7f.0.0.1".
 */
export function isLoopback(host: string): boolean {
  // As the driver knows a socket; a relative path would be a name with a slash to anything else.
  if (host.endsWith('.sock')) return decodePercents(host).startsWith('/')
  const name = hostName(host)
  const version = isIP(name)
  return name === 'localhost' || (version !== 0 && addressesHere.check(name, version === 4 ? 'ipv4' : 'ipv6'))
}

/** A host without its port: "[::1]:27017" is "::1". */
export const hostName = (host: string): string =>
  host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()

/** Whether a URI leads to this machine alone. A name that DNS resolves, and a proxy, may lead anywhere. */
export function staysHere(uri: ConnectionString): boolean {
  return !uri.isSRV && !uri.searchParams.has('proxyHost') && uri.hosts.every(isLoopback)
}

/** Whether a host ("db1:27017", "192.0.2.7:27017") names this machine. Containers have addresses of their own, and count as others. */
export function isThisMachine(host: string): boolean {
  const name = hostName(host)
  return isLoopback(host) || name === os.hostname().toLowerCase() || ownAddresses().includes(name)
}

const ownAddresses = (): readonly string[] =>
  Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
