import { BsonWriter } from '../../protocol/bson/writer.ts'
import { type Connection, type ReplyHandler } from '../../protocol/wire/connection.ts'
import { type ConnectionError } from '../../protocol/wire/wire-error.ts'

/** Writes calls, reads replies, and takes what a call came to: once for each. */
export type SlotListener<Call, Reply> = {
  /** Writes a call as a message. */
  readonly write: (call: Call, out: BsonWriter) => Buffer
  /** The reply lies between `start` and `end`, and is overwritten when this has returned. @throws {MalformedBson} */
  readonly read: (call: Call, bytes: Buffer, start: number, end: number) => Reply
  /** Whether the member that replied so takes no further calls. */
  readonly isGone: (reply: Reply) => boolean
  /** @param reply Undefined: the call asked for none, and is on its way. */
  readonly onEnd: (call: Call, reply: Reply | undefined) => void
  /** @param isSent Whether the call may have reached the server. */
  readonly onFailure: (call: Call, error: Error, isSent: boolean) => void
}

/** A connection of a replay, for one call at a time; opened again by the call after one that lost it. */
export class Slot<Call extends { readonly acknowledged: boolean }, Reply> implements ReplyHandler {
  readonly #connect: () => Promise<Connection>
  readonly #listener: SlotListener<Call, Reply>
  readonly #out = new BsonWriter(1024)
  #connection: Connection | undefined
  #call: Call | undefined

  constructor(connect: () => Promise<Connection>, listener: SlotListener<Call, Reply>) {
    this.#connect = connect
    this.#listener = listener
  }

  /** The call that is under way. */
  get call(): Call | undefined {
    return this.#call
  }

  /** Undefined: it is not open. */
  get connection(): Connection | undefined {
    return this.#connection?.isClosed() === false ? this.#connection : undefined
  }

  /** @throws what opening a connection throws. */
  async open(): Promise<Connection> {
    return this.connection ?? (this.#connection = await this.#connect())
  }

  send(call: Call): void {
    this.#call = call
    const { connection } = this
    if (connection !== undefined) return this.#transmit(connection, call)
    this.open().then(
      (opened) => this.#transmit(opened, call),
      (error: unknown) => this.#fail(error instanceof Error ? error : new Error(String(error)), false),
    )
  }

  #transmit(connection: Connection, call: Call): void {
    const message = this.#listener.write(call, this.#out)
    if (call.acknowledged) return connection.send(message, this)
    connection.post(message, (error) => {
      if (error !== undefined) return this.#fail(error, true)
      this.#call = undefined
      this.#listener.onEnd(call, undefined)
    })
  }

  onReply(bytes: Buffer, start: number, end: number): void {
    const call = this.#call
    if (call === undefined) return
    const reply = this.#listener.read(call, bytes, start, end)
    this.#call = undefined
    if (this.#listener.isGone(reply)) this.#connection?.close()
    // The next call may be sent before this returns.
    this.#listener.onEnd(call, reply)
  }

  onFailure(error: ConnectionError): void {
    this.#fail(error, true)
  }

  #fail(error: Error, isSent: boolean): void {
    const call = this.#call
    this.#call = undefined
    if (call !== undefined) this.#listener.onFailure(call, error, isSent)
  }

  /** A call that is under way fails. */
  close(reason?: string): void {
    this.#connection?.close(reason)
  }
}
