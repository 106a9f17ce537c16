import { type Socket, connect as connectPlain } from 'node:net'
import { arch, platform, release, type } from 'node:os'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { type Document, deserialize } from 'bson'
import { toolVersion } from '../../core/versions.ts'
import { MalformedBson } from '../bson/types.ts'
import { bodyOffset, checkReply, createMessageReader, encodeMessage, readRequestId } from './frame.ts'
import { startLogin } from './log-in.ts'
import { type ConnectionSettings, addressText } from './settings.ts'
import { CommandError, ConnectionError, MalformedMessage } from './wire-error.ts'

/** Takes what comes of one message that was sent: either of them, once. */
export type ReplyHandler = {
  /**
   * The document of the reply lies between `start` and `end`. The bytes are overwritten when this has returned.
   * @throws {MalformedBson} when it cannot be read: the connection ends, and `onFailure` is called.
   */
  readonly onReply: (bytes: Buffer, start: number, end: number) => void
  /** No reply comes, and the connection has ended. Called at once where it had ended before. */
  readonly onFailure: (error: ConnectionError) => void
}

/** A connection to one server, ready for commands. One at a time. */
export type Connection = Disposable & {
  /** Sends an OP_MSG. Its bytes must not change until the handler has been called. */
  readonly send: (message: Buffer, handler: ReplyHandler) => void
  /**
   * Sends an OP_MSG that asks for no reply. Its bytes must not change until `onPosted` has been called.
   * @param onPosted The message is on its way to the server, or the connection has ended.
   */
  readonly post: (message: Buffer, onPosted: (error?: ConnectionError) => void) => void
  /**
   * Sends a command, to "admin" unless it names another `$db`.
   * @throws {CommandError} when the server does not execute it.
   * @throws {ConnectionError} when no reply comes.
   */
  readonly command: (command: Document) => Promise<Document>
  readonly isClosed: () => boolean
  /** A reply that is awaited fails. @param reason Ends the message of that failure. Default: "was closed". */
  readonly close: (reason?: string) => void
}

/**
 * Connects, introduces itself and logs in.
 * @param signal Gives up meanwhile.
 * @throws {CommandError} when the server refuses that.
 * @throws {ConnectionError} when it does not answer, or not in time.
 */
export async function openConnection(settings: ConnectionSettings, signal?: AbortSignal): Promise<Connection> {
  const connection = startConnection(settings)
  const { openTimeoutMs } = settings
  const timer = setTimeout(() => connection.close(`was not ready within ${openTimeoutMs / 1000} s`), openTimeoutMs)
  const stop = (): void => connection.close()
  signal?.addEventListener('abort', stop)
  try {
    if (signal?.aborted) stop()
    await shakeHands(connection.command, settings)
    return connection
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

function startConnection(settings: ConnectionSettings): Connection {
  const server = addressText(settings.address)
  let handler: ReplyHandler | undefined
  let requestId = 0
  let lastCommandId = 0
  let failure: ConnectionError | undefined

  function fail(reason: string, cause?: Error): void {
    if (failure !== undefined) return
    failure = new ConnectionError(`The connection to ${server} ${reason}`, { cause })
    const waiting = handler
    handler = undefined
    socket.destroy()
    waiting?.onFailure(failure)
  }

  const read = createMessageReader((bytes, start, end) => {
    if (failure !== undefined) return
    if (handler === undefined) throw new MalformedMessage('a reply that nothing was sent for')
    checkReply(bytes, start, end, requestId)
    const waiting = handler
    handler = undefined
    try {
      waiting.onReply(bytes, start + bodyOffset, end)
    } catch (error) {
      handler = waiting
      throw error
    }
  })

  const socket = openSocket(settings, (bytes, length) => {
    try {
      read(bytes, length)
    } catch (error) {
      if (!(error instanceof MalformedBson)) throw error
      fail(`was closed: the server sent ${error.message}`)
    }
    return true
  })
  socket.on('error', (error) => fail(`failed: ${error.message}`, error))
  socket.on('close', () => fail('was closed by the server'))

  function send(message: Buffer, replyHandler: ReplyHandler): void {
    if (failure !== undefined) return replyHandler.onFailure(failure)
    if (handler !== undefined) throw new Error('The reply to the last message is still awaited')
    handler = replyHandler
    requestId = readRequestId(message)
    socket.write(message)
  }

  return {
    send,
    post(message, onPosted) {
      if (failure !== undefined) onPosted(failure)
      else socket.write(message, () => onPosted(failure))
    },
    command: (command) =>
      new Promise((resolve, reject) => {
        lastCommandId = (lastCommandId + 1) | 0
        send(encodeMessage({ ...command, $db: command['$db'] ?? 'admin' }, lastCommandId), {
          onReply(bytes, start, end) {
            const reply = decode(bytes, start, end)
            if (reply['ok'] === 1) resolve(reply)
            else reject(new CommandError(reply))
          },
          onFailure: reject,
        })
      }),
    isClosed: () => failure !== undefined,
    close: (reason = 'was closed') => fail(reason),
    [Symbol.dispose]: () => fail('was closed'),
  }
}

/** A copy: binary values of a decoded document share its bytes. */
function decode(bytes: Buffer, start: number, end: number): Document {
  try {
    return deserialize(Buffer.from(bytes.subarray(start, end)))
  } catch (error) {
    throw new MalformedMessage(
      `a document that is not BSON (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

/** Begins a connection: introduces the client, and logs in. */
async function shakeHands(
  command: (command: Document) => Promise<Document>,
  { appName, login }: Pick<ConnectionSettings, 'appName' | 'login'>,
): Promise<void> {
  const started = login && startLogin(login)
  const introduction = { hello: 1, client: { application: { name: appName }, ...describeClient() } }
  const reply = await command({ ...introduction, ...started?.hello })
  // An arbiter holds no users.
  if (reply['arbiterOnly'] !== true) await started?.finish(reply, command)
}

const describeClient = (): Document => ({
  driver: { name: 'mongo-perf', version: toolVersion() },
  os: { type: type(), name: platform(), architecture: arch(), version: release() },
  platform: `Node.js ${process.version}`,
})

/**
 * One buffer for all sockets of a thread: what arrives is read into it and taken out of it in one go, before the next socket is
 * read. It stays in the cache, and thousands of connections need no memory for it.
 */
const received = Buffer.allocUnsafeSlow(256 * 1024)
/** Half of the time after which some load balancers drop a connection in silence. */
const keepAliveMs = 120_000

/**
 * Starts to connect. What is written before the connection stands is sent as soon as it does.
 * @param onBytes Takes what has arrived, the first `length` bytes. They are overwritten when it has returned. False: nothing more
 * is read before the socket is resumed.
 * @throws {ConnectionError} when nothing can be encrypted with the TLS options.
 */
export function openSocket(
  { address, tls }: Pick<ConnectionSettings, 'address' | 'tls'>,
  onBytes: (bytes: Buffer, length: number) => boolean,
): Socket {
  const callback = (length: number): boolean => onBytes(received, length)
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
