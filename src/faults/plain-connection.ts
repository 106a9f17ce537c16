import { connect, type Socket } from 'node:net'
import { deserialize, type Document, serialize } from 'bson'

/** A connection to one server, past everything that may stand in front of it. One question at a time. */
export type ServerConnection = {
  /** Sends an admin command. Rejects when it is refused, or when the connection ends; the next one gets a new connection. */
  readonly command: (command: Document) => Promise<Document>
  readonly close: () => Promise<void>
}

const opMsg = 2013
const headerBytes = 16
/** Flags and the kind of the first section, which is a document. */
const prefixBytes = 5

/**
 * A connection to a server of ours by the wire protocol alone. A driver would watch the server by itself, give connections up
 * that do not answer in time, and take half a second to try again: here a server that was frozen is heard as soon as it goes on,
 * and one that died as soon as it listens.
 */
export function connectPlainly(host: string): ServerConnection {
  let line: Line | undefined
  return {
    async command(command) {
      line ??= openLine(host)
      const used = line
      try {
        return await used.ask(command)
      } catch (error) {
        if (used.isClosed() && line === used) line = undefined
        throw error
      }
    },
    async close() {
      line?.close()
      line = undefined
    },
  }
}

type Line = {
  readonly ask: (command: Document) => Promise<Document>
  readonly isClosed: () => boolean
  readonly close: () => void
}

type Waiting = { readonly resolve: (reply: Document) => void; readonly reject: (error: Error) => void }

function openLine(host: string): Line {
  const cut = host.lastIndexOf(':')
  const socket: Socket = connect(Number(host.slice(cut + 1)), host.slice(0, cut)).setNoDelay(true)
  let received: Buffer = Buffer.alloc(0)
  let waiting: Waiting | undefined
  let isClosed = false

  function answer(message: Buffer): void {
    const asked = waiting
    waiting = undefined
    const reply = deserialize(message.subarray(headerBytes + prefixBytes))
    if (reply['ok'] === 1) asked?.resolve(reply)
    else asked?.reject(new Error(String(reply['errmsg'] ?? 'no reason given')))
  }

  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    while (received.length >= headerBytes && received.length >= received.readInt32LE(0)) {
      const length = received.readInt32LE(0)
      answer(received.subarray(0, length))
      received = received.subarray(length)
    }
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    waiting?.reject(new Error('The connection ended'))
    waiting = undefined
  })
  return {
    ask: (command) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('The connection has ended'))
        if (waiting !== undefined) return reject(new Error('An answer is still awaited'))
        waiting = { resolve, reject }
        socket.write(toMessage({ ...command, $db: 'admin' }))
      }),
    isClosed: () => isClosed,
    close: () => void socket.destroy(),
  }
}

function toMessage(command: Document): Buffer {
  const body = serialize(command)
  const message = Buffer.alloc(headerBytes + prefixBytes)
  message.writeInt32LE(message.length + body.length, 0)
  message.writeInt32LE(opMsg, 12)
  return Buffer.concat([message, body])
}
