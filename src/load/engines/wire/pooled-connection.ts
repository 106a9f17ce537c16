import { type Document, MongoNetworkError } from 'mongodb'
import { MalformedBson } from '../../../protocol/bson/types.ts'
import type { Connection, ReplyHandler } from '../../../protocol/wire/connection.ts'
import type { ConnectionError } from '../../../protocol/wire/wire-error.ts'
import { noAnswerWithin } from '../deadlines.ts'
import type { Outcome, Reply } from '../engine.ts'
import type { NamedArguments } from '../intent.ts'
import { toOutcome } from '../outcomes.ts'
import { ImpossibleCounts } from '../possible-counts.ts'
import { Message, type SessionFields } from './message.ts'
import type { Exchange } from './method.ts'
import { namedError } from './replies/write-reply.ts'
import type { SharedConnections } from './shared-connections.ts'

/** Takes what a call came to. @param error What it ended with, unless it was done. */
export type OperationCallback = (outcome: Outcome, error?: Error) => void

/** Services that a lane needs from its pool. */
export type PooledConnectionContext = {
  /** Opens a connection to the member that calls go to now. */
  readonly connect: () => Promise<Connection>
  readonly deadlineMs: number
  /** The number of the current tick. */
  readonly now: () => number
  /** The lane can take the next call. */
  readonly release: (pooledConnection: PooledConnection) => void
  /** Connections that lanes borrow for each call. Absent: a lane keeps its own. */
  readonly shared?: SharedConnections | undefined
}

/** Codes of a member that is no primary (any more), or shuts down: another one has to be found. */
export const stateChangeCodes: ReadonlySet<unknown> = new Set([91, 189, 10058, 10107, 11600, 11602, 13435, 13436])

/** Operations are few, but each may draw one of many collections, and every connection has exchanges of its own. */
const maxExchanges = 2000

/**
 * A way to the server for one call at a time: a connection, opened again after it was lost, and a message that is used again.
 * No promise is made for a call: the reply's callback ends it.
 */
export class PooledConnection implements ReplyHandler {
  readonly #context: PooledConnectionContext
  readonly #message = new Message()
  readonly #exchanges = new Map<() => Exchange, Exchange>()
  #connection: Connection | undefined
  #exchange: Exchange | undefined
  #args: NamedArguments | undefined
  #done: OperationCallback | undefined
  /** Number of the call under way. */
  #number = 0
  #isSent = false
  /** Whether the connection is being closed because a call was given up: that is no failure of its own. */
  #isGivenUp = false
  #sendsBlindly = false
  #isEnded = false
  #opening: Promise<void> | undefined
  #sentTick = 0

  constructor(context: PooledConnectionContext) {
    this.#context = context
  }

  get isBusy(): boolean {
    return this.#done !== undefined
  }

  get isOpen(): boolean {
    return this.#connection?.isClosed() === false
  }

  /** Whether it has sent calls that are not replied to. */
  get sendsBlindly(): boolean {
    return this.#sendsBlindly
  }

  /** Number of the tick at which the call under way was made. */
  get sentTick(): number {
    return this.#sentTick
  }

  /** @throws what opening a connection throws. */
  async open(): Promise<void> {
    if (this.isOpen) return
    // A call that comes while the one before it was given up waits for the same connection.
    await (this.#opening ??= this.#connect())
  }

  async #connect(): Promise<void> {
    try {
      this.#connection = await this.#context.connect()
      if (this.#isEnded) this.#connection.close()
    } finally {
      this.#opening = undefined
    }
  }

  /**
   * @param createExchange Identifies the operation: the lane keeps its exchange.
   * @param session Undefined: the call stands outside of sessions.
   * @param done Called once; inside of this call only where the arguments cannot be sent.
   */
  send(
    createExchange: () => Exchange,
    args: NamedArguments,
    session: SessionFields | undefined,
    done: OperationCallback,
  ): void {
    let exchange = this.#exchanges.get(createExchange)
    if (exchange === undefined) {
      if (this.#exchanges.size >= maxExchanges) this.#exchanges.clear()
      this.#exchanges.set(createExchange, (exchange = createExchange()))
    }
    this.#exchange = exchange
    this.#args = args
    this.#done = done
    this.#number += 1
    this.#isSent = false
    this.#sentTick = this.#context.now()
    this.#message.session = session
    try {
      exchange.begin(args, this.#message)
    } catch (error) {
      this.#fail(error)
      return
    }
    if (this.isOpen || this.#borrows()) this.#transmit()
    else this.#openAndTransmit(this.#number)
  }

  onReply(bytes: Buffer, start: number, end: number): void {
    let reply: Reply | undefined
    try {
      const exchange = this.#exchange as Exchange
      reply = exchange.take(bytes, start, end, this.#message)
      if (reply !== undefined) exchange.check?.(reply, this.#args as NamedArguments)
    } catch (error) {
      if (!isRefusal(error)) throw asMalformed(error)
      this.#refuse(error)
      return
    }
    if (reply === undefined) this.#transmit()
    else this.#end({ kind: 'ok', reply })
  }

  onFailure(error: ConnectionError): void {
    if (this.isBusy && !this.#isGivenUp)
      this.#fail(this.#wrapped(new MongoNetworkError(error.message, { cause: error })))
  }

  /** The deadline has passed: nothing waits for the reply any more. */
  giveUp(): void {
    if (!this.isBusy) return
    // A late reply would be taken for that of the next call, which may be sent as soon as this one ends.
    this.#isGivenUp = true
    this.#connection?.close()
    this.#isGivenUp = false
    const late = noAnswerWithin(this.#context.deadlineMs)
    if (this.#isSent) {
      const error = this.#wrapped(namedError('MongoNetworkTimeoutError', late.message))
      this.#end({ ...toOutcome(error), ...late }, error)
    } else this.#fail(namedError('MongoServerSelectionError', `${late.message}: there was no connection to send it by`))
  }

  /** Runs a command that is no call. @throws what `Connection.command` throws. */
  async command(command: Document): Promise<void> {
    await this.#connection?.command(command)
  }

  /** Closes the connection, and any that it is still waiting for. */
  async end(withinMs: number): Promise<void> {
    this.#isEnded = true
    if (this.#connection !== undefined) await drainAndClose(this.#connection, this.#sendsBlindly, withinMs)
  }

  #openAndTransmit(number: number): void {
    // The deadline may have passed meanwhile, and another call be under way.
    const isUnderWay = (): boolean => this.isBusy && this.#number === number
    this.open().then(
      () => {
        if (isUnderWay()) this.#transmit()
        else if (!this.isBusy) this.#giveBack()
      },
      (error: unknown) => void (isUnderWay() && this.#fail(neverSent(error))),
    )
  }

  /** Whether a shared connection is ready: it is then that of the lane. */
  #borrows(): boolean {
    if (this.#opening !== undefined) return false
    this.#connection = this.#context.shared?.take()
    return this.#connection !== undefined
  }

  #giveBack(): void {
    const { shared } = this.#context
    if (shared === undefined || this.#connection === undefined) return
    shared.giveBack(this.#connection)
    this.#connection = undefined
  }

  #transmit(): void {
    const connection = this.#connection as Connection
    this.#isSent = true
    const unacknowledged = this.#exchange?.unacknowledged
    if (unacknowledged === undefined) return connection.send(this.#message.ready, this)
    this.#sendsBlindly = true
    connection.post(this.#message.ready, (error) => this.#posted(error, unacknowledged))
  }

  #posted(error: ConnectionError | undefined, unacknowledged: NonNullable<Exchange['unacknowledged']>): void {
    if (!this.isBusy) return
    if (error !== undefined) this.onFailure(error)
    else if (this.#exchange?.next?.(this.#message) === true) this.#transmit()
    else this.#end({ kind: 'ok', reply: unacknowledged(this.#args as NamedArguments) })
  }

  #refuse(error: unknown): void {
    // Before the call ends, because the next one may be sent then.
    if (collectErrorCodes(error).some((code) => stateChangeCodes.has(code))) this.#connection?.close()
    this.#fail(error)
  }

  #wrapped(error: Error): Error {
    return this.#exchange?.failedBy?.(error) ?? error
  }

  #fail(thrown: unknown): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    this.#end(toOutcome(error), error)
  }

  #end(outcome: Outcome, error?: Error): void {
    const done = this.#done
    this.#done = undefined
    this.#args = undefined
    this.#giveBack()
    this.#context.release(this)
    done?.(outcome, error)
  }
}

/**
 * Closes a connection. A server reads the messages of a connection in their order: what is replied to after writes that
 * are not shows that they are done. Closed without it, a connection would take along what still waits to be written.
 * @param withinMs Maximum time to wait for that.
 */
export async function drainAndClose(connection: Connection, sentBlindly: boolean, withinMs: number): Promise<void> {
  if (connection.isClosed()) return
  const timer = setTimeout(() => connection.close(), withinMs)
  if (sentBlindly) await connection.command({ ping: 1 }).catch(() => {})
  clearTimeout(timer)
  connection.close()
}

/** Collects error codes, also those that bulks wrap in an error of their own counts. */
function collectErrorCodes(error: unknown): readonly unknown[] {
  const { code, cause, errorResponse } = error as Readonly<Record<'code' | 'cause' | 'errorResponse', unknown>>
  return [error, cause, errorResponse].map((one) => (one === error ? code : Reflect.get(Object(one), 'code')))
}

/** Errors of the server have a name of the driver's. A reply with impossible counts can be read, too. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ImpossibleCounts || (error instanceof Error && error.name.startsWith('Mongo'))

/** Whatever else is thrown while a reply is read: the reply has not the form of one. */
const asMalformed = (error: unknown): MalformedBson =>
  error instanceof MalformedBson ? error : new MalformedBson(`a reply that cannot be read (${String(error)})`)

/** A call that no connection could be opened for was not made, whatever the reason. */
export function neverSent(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const named = error.name.startsWith('Mongo') ? error : namedError('MongoNetworkError', error.message)
  return Object.assign(named, { beforeHandshake: true })
}
