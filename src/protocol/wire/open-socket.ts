import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { type ConnectionSettings } from './settings.ts'
import { ConnectionError } from './wire-error.ts'

/**
 * One buffer for all sockets of a thread: what arrives is read into it and taken out of it in one go, before the next socket is
 * read. It stays in the cache, and thousands of connections need no memory for it.
 */
const received = Buffer.allocUnsafeSlow(256 * 1024)
/** Half of the time after which some load balancers drop a connection in silence. */
const keepAliveMs = 120_000

/**
 * Starts to connect. What is written before the connection stands is sent as soon as it does.
 * @param onBytes Takes what has arrived, the first `length` bytes. They are overwritten when it has returned.
 * @throws {ConnectionError} when nothing can be encrypted with the TLS options.
 */
export function openSocket(
  { address, tls }: Pick<ConnectionSettings, 'address' | 'tls'>,
  onBytes: (bytes: Buffer, length: number) => void,
): Socket {
  const callback = (length: number): boolean => {
    onBytes(received, length)
    return true
  }
  const options = { ...address, onread: { buffer: received, callback } }
  const socket = tls === undefined ? connectPlain(options) : startTls({ ...tls, ...options })
  // Not as options: `tls.connect` ignores them.
  return socket.setNoDelay(true).setKeepAlive(true, keepAliveMs)
}

function startTls(options: ConnectionOptions): Socket {
  try {
    return connectTls(options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConnectionError(`The certificates or the key of the URI cannot be used: ${reason}`)
  }
}
