import { type ConnectionString } from 'mongodb-connection-string-url'

/** Whether a host ("localhost:27017", "[::1]:27017", "%2Ftmp%2Fmongodb.sock") is this machine, as far as its name can tell. */
export function isLoopback(host: string): boolean {
  if (/%2F/i.test(host) || host.startsWith('/')) return true
  const name = hostName(host)
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
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
