import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { deserialize, type Document, EJSON } from 'bson'

/** A command as it went over the wire, in canonical Extended JSON. */
export type SentCommand = { readonly connection: number; readonly command: Document }

/** Stands between a client and a server, and notes every command. */
export type WireTap = AsyncDisposable & { readonly uri: string; readonly sent: readonly SentCommand[] }

const opMsg = 2013

/** @param serverUri One server, without a user. */
export async function startWireTap(serverUri: string): Promise<WireTap> {
  const { hostname, port } = new URL(serverUri)
  const sent: SentCommand[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const proxy = createServer((client) => {
    const connection = ++connections
    const server = createConnection(Number(port), hostname)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
    let pending: Buffer = Buffer.alloc(0)
    client.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      while (pending.length >= 16 && pending.length >= pending.readInt32LE(0)) {
        const message = pending.subarray(0, pending.readInt32LE(0))
        pending = pending.subarray(message.length)
        if (message.readInt32LE(12) === opMsg) sent.push({ connection, command: readCommand(message) })
      }
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    uri: `mongodb://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/?directConnection=true`,
    sent,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

/** The body of a message, with the lists that stand beside it put in. */
function readCommand(message: Buffer): Document {
  const command: Document = {}
  let at = 20
  while (at < message.length) {
    const kind = message[at]
    const end = at + 1 + message.readInt32LE(at + 1)
    if (kind === 0) Object.assign(command, readDocument(message.subarray(at + 1, end)))
    else Object.assign(command, readSequence(message.subarray(at + 5, end)))
    at = end
  }
  return command
}

function readSequence(section: Buffer): Document {
  const nameEnd = section.indexOf(0)
  const documents: Document[] = []
  for (let at = nameEnd + 1; at < section.length; at += section.readInt32LE(at))
    documents.push(readDocument(section.subarray(at, at + section.readInt32LE(at))))
  return { [section.toString('utf8', 0, nameEnd)]: documents }
}

const readDocument = (bytes: Buffer): Document =>
  EJSON.serialize(deserialize(bytes, { promoteValues: false }), { relaxed: false })
