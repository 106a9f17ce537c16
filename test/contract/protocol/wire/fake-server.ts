import { once } from 'node:events'
import { type Socket, createServer } from 'node:net'
import { createMessageReader, readRequestId } from '../../../../src/protocol/wire/frame.ts'
import { type ConnectionSettings, plainSettings } from '../../../../src/protocol/wire/settings.ts'
import { aReply } from '../../../protocol/wire/a-message.ts'

export type FakeServer = AsyncDisposable & { readonly settings: ConnectionSettings }

/** A server that accepts connections, and of which nothing else is right. */
export async function startSilentServer(onSocket: (socket: Socket) => void = () => undefined): Promise<FakeServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    settings: plainSettings(`127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * A server of which only the handshake is right.
 * @param onRequest Takes the id of a request that comes after it.
 */
export const startFakeServer = (onRequest: (requestId: number, socket: Socket) => void): Promise<FakeServer> =>
  startSilentServer((socket) => {
    let requests = 0
    const read = createMessageReader((bytes, start) => {
      const id = readRequestId(bytes.subarray(start))
      if (requests++ === 0) socket.write(aReply({ ok: 1 }, id))
      else onRequest(id, socket)
    })
    socket.on('data', (piece: Buffer) => read(piece))
  })
