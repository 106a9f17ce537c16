import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/** Stands between a client and a server. While it is shut nothing reaches the server; all of it does once it is open again. */
export type Gate = AsyncDisposable & { readonly uri: string; readonly shut: () => void; readonly open: () => void }

/** @param serverUri One server, without a user. */
export async function startGate(serverUri: string): Promise<Gate> {
  const { hostname, port } = new URL(serverUri)
  const pairs = new Map<Socket, Socket>()
  let isOpen = true
  const proxy = createServer((client) => {
    const server = createConnection(Number(port), hostname)
    pairs.set(client, server)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    client.on('close', () => pairs.delete(client))
    server.pipe(client)
    if (isOpen) client.pipe(server)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    uri: `mongodb://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/?directConnection=true`,
    shut() {
      isOpen = false
      for (const [client, server] of pairs) client.unpipe(server)
    },
    open() {
      isOpen = true
      for (const [client, server] of pairs) client.pipe(server)
    },
    async [Symbol.asyncDispose]() {
      for (const client of pairs.keys()) client.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
