import { InvalidArgumentError } from 'commander'
import { type ListenAddress } from '../../run/live/listen.ts'

const maxPort = 65_535

/** Parses a port. 0: any free one. */
export function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= maxPort) return port
  throw new InvalidArgumentError(`It must be a port: a whole number from 0 to ${maxPort}.`)
}

const address = /^(?:(?:\[(?<v6>[\da-f:.]+)\]|(?<host>[^:[\]/\s]+)):)?(?<port>\d+)$/i

/** Parses "9464", "127.0.0.1:9464" or "[::1]:9464". */
export function listenAddress(text: string): ListenAddress {
  const { v6, host = '127.0.0.1', port } = address.exec(text)?.groups ?? {}
  if (port === undefined) throw new InvalidArgumentError('It must be a port, or a host and a port: 127.0.0.1:9464.')
  return { host: v6 ?? host, port: portNumber(port) }
}
