import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { build } from 'hdr-histogram-js'
import { systemClock } from '../../src/core/clock.ts'
import { encodeMessage } from '../../src/protocol/wire/frame.ts'
import { collection, database, readConcern, type SideLoad } from './side.ts'

const maxUs = 60_000_000

/**
 * The loop that one writes by hand to be quick: `findOne` by key over sockets, each command encoded by the `bson` library, of
 * the reply no more than its length and `ok` looked at, every latency recorded.
 */
export async function connectPlainSockets({ uri, workers, keys }: SideLoad) {
  const { hostname, port } = new URL(uri)
  const connections = await Promise.all(
    Array.from({ length: workers }, async () => {
      const socket = createConnection({ host: hostname, port: Number(port), noDelay: true })
      await once(socket, 'connect')
      return new PlainConnection(socket)
    }),
  )
  return (operations: number): Promise<void> => {
    const histogram = build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: maxUs,
      numberOfSignificantValueDigits: 3,
    })
    let unsent = operations
    let unanswered = operations
    return new Promise((resolve) => {
      const work = (connection: PlainConnection): void => {
        if (unsent-- <= 0) return
        const filter = { _id: Math.floor(Math.random() * keys) }
        const command = { find: collection, filter, limit: 1, singleBatch: true, readConcern, $db: database }
        const startMs = systemClock.now()
        connection.send(encodeMessage(command, unsent), () => {
          histogram.recordValue(Math.round((systemClock.now() - startMs) * 1000))
          if (--unanswered === 0) resolve()
          else work(connection)
        })
      }
      for (const connection of connections) work(connection)
    })
  }
}

const okBytes = 9

class PlainConnection {
  readonly #socket: Socket
  #begun: Buffer | undefined
  #onReply: () => void = () => {}

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (piece) => this.#take(piece))
  }

  send(message: Buffer, onReply: () => void): void {
    this.#onReply = onReply
    this.#socket.write(message)
  }

  #take(piece: Buffer): void {
    const reply = this.#begun ? Buffer.concat([this.#begun, piece]) : piece
    const isWhole = reply.length >= 4 && reply.length >= reply.readInt32LE(0)
    this.#begun = isWhole ? undefined : reply
    if (!isWhole) return
    // `ok` is the last field of a standalone server's reply, a double.
    if (reply.readDoubleLE(reply.length - okBytes) !== 1) throw new Error('A reply is not ok')
    this.#onReply()
  }
}
