import { once } from 'node:events'
import { type Socket, createConnection, createServer } from 'node:net'
import { deserialize } from 'bson'
import { bodyOffset, createMessageReader, readRequestId } from '../../../../src/protocol/wire/frame.ts'

/** Sends something else in the place of a reply. @param reply As the server sent it. */
export type Tamper = (reply: Buffer, client: Socket, requestId: number) => void

/** Stands between a client and a server that is right, and changes replies. */
export type TamperingProxy = AsyncDisposable & {
  readonly uri: string
  /** Number of connections so far. */
  readonly connections: () => number
  /** Changes the next reply to a command, once those before it have been changed. */
  readonly tamperOnce: (command: string, tamper: Tamper) => void
  /** Changes every reply to a command that nothing else changes. */
  readonly tamperAll: (command: string, tamper: Tamper) => void
  /** Forgets what was not asked for. @returns how many those were. */
  readonly forget: () => number
}

/** @param serverUri One server, without a user. */
export async function startTamperingProxy(serverUri: string): Promise<TamperingProxy> {
  const { hostname, port } = new URL(serverUri)
  const sockets = new Set<Socket>()
  const planned: { readonly command: string; readonly tamper: Tamper }[] = []
  const always = new Map<string, Tamper>()
  let connections = 0
  const proxy = createServer((client) => {
    connections += 1
    const server = createConnection(Number(port), hostname)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    let pending: { readonly tamper: Tamper; readonly requestId: number } | undefined
    const readRequest = createMessageReader((bytes, start, end) => {
      const message = Buffer.from(bytes.subarray(start, end))
      const [next] = planned
      const command = commandOf(message)
      const isNext = next !== undefined && command === next.command
      if (isNext) planned.shift()
      const tamper = isNext ? next.tamper : always.get(command ?? '')
      if (tamper !== undefined) pending = { tamper, requestId: readRequestId(message) }
      server.write(message)
    })
    const readReply = createMessageReader((bytes, start, end) => {
      const reply = Buffer.from(bytes.subarray(start, end))
      if (pending === undefined) return void client.write(reply)
      const { tamper, requestId } = pending
      pending = undefined
      tamper(reply, client, requestId)
    })
    client.on('data', (piece: Buffer) => readRequest(piece))
    server.on('data', (piece: Buffer) => readReply(piece))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    uri: `mongodb://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/?directConnection=true`,
    connections: () => connections,
    tamperOnce: (command, tamper) => void planned.push({ command, tamper }),
    tamperAll: (command, tamper) => void always.set(command, tamper),
    forget: () => planned.splice(0).length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

const opMsg = 2013

const commandOf = (message: Buffer): string | undefined =>
  message.readInt32LE(12) === opMsg
    ? Object.keys(deserialize(message.subarray(bodyOffset, bodyOffset + message.readInt32LE(bodyOffset))))[0]
    : undefined
