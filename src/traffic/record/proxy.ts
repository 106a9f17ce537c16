import { type Server, type Socket, createServer as createPlainServer } from 'node:net'
import { type SecureContextOptions, createServer as createTlsServer } from 'node:tls'
import { type Document, serialize } from 'bson'
import { checkDocument } from '../../protocol/bson/check-document.ts'
import { MalformedBson } from '../../protocol/bson/types.ts'
import { openSocket } from '../../protocol/wire/connection.ts'
import { knownCompressors } from '../../protocol/wire/decompress.ts'
import type { OnMessage } from '../../protocol/wire/frame.ts'
import type { ConnectionSettings } from '../../protocol/wire/settings.ts'
import { type ListenAddress, addressText, listenOn } from '../../run/live/listen.ts'
import { decodeUntrusted } from '../recording/decode-untrusted.ts'
import { type CallSink, type Conversation, createConversation } from './conversation.ts'
import type { Deployment } from './find-servers.ts'
import { messageFlags, operations, readMessage } from './read-message.ts'
import { readUntilMalformed } from './read-until-malformed.ts'

export type ProxyOptions = Pick<Deployment, 'servers' | 'settingsOf'> & {
  /** Address of the listener for the first server; the others have the next ports. Port 0: any free ones. */
  readonly listen: ListenAddress
  /** The certificate to present to clients. Undefined: they connect without TLS. */
  readonly tls: SecureContextOptions | undefined
  readonly sink: CallSink
  /** Time since the recording began, in µs. */
  readonly nowUs: () => number
}

/** A proxy that listens. Disposing ends its connections. */
export type Proxy = AsyncDisposable & {
  /** "host:port" in front of each server, in their order. */
  readonly listeners: readonly string[]
}

/**
 * Listens in front of each server. All bytes pass unchanged, except that handshakes name the listeners instead of the servers.
 * @throws {Problem} "usage" where it cannot listen.
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { listen, servers, settingsOf, tls, sink, nowUs } = options
  const listening: Server[] = []
  const byServer = new Map<string, string>()
  const relays = new Set<() => void>()
  /** Sockets of clients, including those in a TLS handshake, which may take two minutes. */
  const sockets = new Set<Socket>()
  let connections = 0

  async function listenFor(server: string, port: number): Promise<void> {
    const settings = await settingsOf(server)
    const accept = (near: Socket): void => {
      const conversation = createConversation(connections++, sink)
      const context = { settings, conversation, nowUs, listenerOf: (name: string) => byServer.get(name) }
      const end = relay(near, context, () => relays.delete(end))
      relays.add(end)
    }
    const eager = { noDelay: true, keepAlive: true }
    const own = tls === undefined ? createPlainServer(eager, accept) : createTlsServer({ ...eager, ...tls }, accept)
    own.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))))
    listening.push(own)
    const found = await listenOn(own, { ...listen, port }, '--listen', hint)
    // A connection that fails must not end the others.
    own.on('error', () => {})
    byServer.set(server, addressText({ ...listen, port: found }))
  }

  async function close(): Promise<void> {
    for (const end of relays) end()
    for (const socket of sockets) socket.destroy()
    await Promise.all(listening.map((one) => new Promise((resolve) => one.close(resolve))))
  }

  try {
    for (const [i, server] of servers.entries()) await listenFor(server, listen.port === 0 ? 0 : listen.port + i)
  } catch (error) {
    await close()
    throw error
  }
  return {
    listeners: servers.map((server) => byServer.get(server) ?? ''),
    [Symbol.asyncDispose]: close,
  }
}

const hint = 'Choose another address with --listen. Each member of a set needs a port: those behind the first.'

type RelayContext = {
  readonly settings: ConnectionSettings
  readonly conversation: Conversation
  readonly listenerOf: ListenerOf
  readonly nowUs: () => number
}

/**
 * Passes bytes between a client and its server, and reads them on the way.
 * @returns a function that ends both connections at once.
 */
function relay(near: Socket, context: RelayContext, onGone: () => void): () => void {
  const { settings, conversation, nowUs } = context
  const take: OnMessage = (bytes, start, end) => conversation.request(bytes, start, end, nowUs())
  const readRequests = readUntilMalformed(take, conversation.lose)
  const pass = createReplyPass(near, context)
  const far = openSocket(settings, pass)

  near.on('data', (piece: Buffer) => {
    if (!far.write(piece)) near.pause()
    readRequests(piece)
  })
  near.on('drain', () => void far.resume())
  far.on('drain', () => void near.resume())
  // Bytes that one end has already written still reach the other.
  near.on('error', () => {}).on('close', () => far.destroySoon())
  far
    .on('error', () => {})
    .on('close', () => {
      near.destroySoon()
      conversation.end()
      onGone()
    })
  return () => {
    near.destroy()
    far.destroy()
    conversation.end()
  }
}

/** Passes bytes of a server on to its client. @returns a function that takes a piece, and returns whether the client takes more. */
function createReplyPass(near: Socket, context: RelayContext): (bytes: Buffer, length: number) => boolean {
  const { conversation, listenerOf, nowUs } = context
  /** Bytes of a message that is not complete yet, and whether they were passed on. */
  let unfinished = 0
  let isPassed = true

  const read = readUntilMalformed((bytes, start, end) => {
    unfinished -= end - start
    const isHello = conversation.reply(bytes, start, end, nowUs())
    if (isPassed) return
    near.write(isHello ? rewriteHello(bytes, start, end, listenerOf) : Buffer.from(bytes.subarray(start, end)))
  }, conversation.lose)

  return (bytes, length) => {
    if (unfinished <= 0) isPassed = !conversation.isHandshaking()
    // Before it is read, so that the client does not wait for that. A copy, because the bytes are overwritten.
    if (isPassed) near.write(Buffer.from(bytes.subarray(0, length)))
    unfinished += length
    if (!read(bytes, length) && !isPassed) near.destroy()
    return !near.writableNeedDrain
  }
}

/** The listener in front of a server, as clients reach it. Undefined: there is none. */
type ListenerOf = (server: string) => string | undefined

/**
 * Rewrites the reply to a handshake: it names the listeners instead of the servers, and only compressors that can be read here.
 * @throws {MalformedBson} where it is not BSON.
 */
export function rewriteHello(bytes: Buffer, start: number, end: number, listenerOf: ListenerOf): Buffer {
  const message = readMessage(bytes, start, end)
  checkDocument(message.bytes, message.document, message.end)
  const hello = decodeUntrusted(message.bytes.subarray(message.document, message.end))
  if (hello === undefined) throw new MalformedBson('a handshake that is not BSON')
  const document = serialize(rewritten(hello, listenerOf))
  const header = Buffer.from(message.bytes.subarray(message.start, message.document))
  header.writeInt32LE(header.length + document.length, 0)
  // The checksum was that of the original document.
  if (message.operation === operations.message) header.writeInt32LE(message.flags & ~messageFlags.checksumPresent, 16)
  return Buffer.concat([header, document])
}

function rewritten(hello: Document, listenerOf: ListenerOf): Document {
  const changed = { ...hello }
  for (const field of ['hosts', 'passives', 'arbiters'])
    if (Array.isArray(hello[field])) changed[field] = hello[field].flatMap((host) => listenerOf(String(host)) ?? [])
  for (const field of ['me', 'primary']) {
    if (typeof hello[field] !== 'string') continue
    const listener = listenerOf(hello[field])
    if (listener === undefined) delete changed[field]
    else changed[field] = listener
  }
  if (Array.isArray(hello['compression']))
    changed['compression'] = hello['compression'].filter((name) => knownCompressors.includes(String(name)))
  return changed
}
