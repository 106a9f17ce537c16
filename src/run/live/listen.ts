import { once } from 'node:events'
import { type Server as HttpServer } from 'node:http'
import { type AddressInfo, type Server } from 'node:net'
import { Problem } from '../../core/errors.ts'

/** Address on which a server of this process listens. */
export type ListenAddress = {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the port is in use'],
  ['EADDRNOTAVAIL', 'this machine does not have the address'],
  ['ENOTFOUND', 'the host is not known'],
  ['EAI_AGAIN', 'the host is not known'],
  ['EACCES', 'the port is not allowed for this user'],
])

/**
 * Starts to listen.
 * @param option The option that asks for it, for messages.
 * @param hint What to do where it cannot.
 * @returns the port.
 * @throws {Problem} "usage" when that is not possible there.
 */
export async function listenOn(
  server: Server,
  { host, port }: ListenAddress,
  option: string,
  hint = 'Give another address or port; 0 is any free port.',
): Promise<number> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Problem(
      'usage',
      `${option} cannot listen on ${addressText({ host, port })}: ${reasons.get(code) ?? message}`,
      { hint, cause: error },
    )
  }
  return (server.address() as AddressInfo).port
}

/** "127.0.0.1:9464", or "[::1]:9464" */
export const addressText = ({ host, port }: ListenAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Closes a server and the connections that it still has. */
export async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** The address at which browsers of this machine reach a server of this process. */
export const ownHost = '127.0.0.1'

const httpPort = 80

/** Whether the header `Host` of a request names such a server. Browsers leave out the port of `http`, which is 80. */
export const isOwnHost = (given: string | undefined, port: number): boolean =>
  [ownHost, 'localhost'].some((name) => given === `${name}:${port}` || (port === httpPort && given === name))
