import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/** The network between a client and a server on this machine. */
export type Link = AsyncDisposable & {
  readonly port: number
  /** Nothing passes any more, in neither direction; no connection is closed, as when a cable is pulled. */
  readonly cut: () => void
  readonly join: () => void
}

/** @param serverPort Of a server on this machine. */
export async function startLink(serverPort: number): Promise<Link> {
  const sockets = new Map<Socket, Socket>()
  let isCut = false
  const proxy = createServer((client) => {
    const server = createConnection(serverPort, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.set(one, other)
      one.setNoDelay(true)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (!isCut) one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The link has no port')
  return {
    port: address.port,
    cut() {
      isCut = true
      for (const [one, other] of sockets) one.unpipe(other).pause()
    },
    join() {
      isCut = false
      for (const [one, other] of sockets) one.pipe(other)
    },
    async [Symbol.asyncDispose]() {
      for (const one of sockets.keys()) one.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
