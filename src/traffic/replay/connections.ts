import { computeTicks } from '../../load/engines/deadlines.ts'
import { type Outcome, type Reply, emptyReply } from '../../load/engines/engine.ts'
import { unreachable } from '../../load/engines/unreachable.ts'
import type { Exchange } from '../../load/engines/wire/method.ts'
import { PooledConnection } from '../../load/engines/wire/pooled-connection.ts'
import { createReplyError, decodeReply } from '../../load/engines/wire/replies/write-reply.ts'
import type { Connection } from '../../protocol/wire/connection.ts'
import { readReply } from '../record/read-reply.ts'
import { createDigest, noDigest } from '../recording/digest.ts'
import { Identities } from './identities.ts'
import type { Sending } from './replay-loop.ts'
import { type Tally, differs } from './tally.ts'
import { type ServerOfReplay, continuesCursor, cursorsIn, listCursors, writeMessage } from './write-message.ts'

export type ConnectionsContext = Pick<ServerOfReplay, 'takesRetries' | 'expires'> & {
  readonly connect: () => Promise<Connection>
  /** A call without a reply after so long is given up, and its connection closed. */
  readonly deadlineMs: number
  /** Whether the documents of replies are compared, and not only their number. */
  readonly compareDocuments: boolean
  readonly tally: Tally
}

const maxOpening = 32
const maxDrainMs = 10_000
const sessionsPerCommand = 10_000

/** The arguments of a recorded call: it has none beside its command. */
export const noArguments = { options: {} }

/** The connections of a replay, each for one call at a time, and the ids that their server has for those of the recording. */
export class ReplayConnections {
  readonly #context: ConnectionsContext
  readonly #server: ServerOfReplay
  readonly #identities = new Identities()
  readonly #sessions = new Set<number>()
  readonly #connections: readonly PooledConnection[]
  readonly #senders: readonly ((sending: Sending) => void)[]
  #tick = 0

  constructor(count: number, context: ConnectionsContext) {
    const { connect, deadlineMs, takesRetries, expires } = context
    this.#context = context
    this.#server = { identities: this.#identities, takesRetries, expires }
    this.#connections = Array.from(
      { length: count },
      () => new PooledConnection({ connect, deadlineMs, now: () => this.#tick, release: () => {} }),
    )
    this.#senders = this.#connections.map((connection) => this.#createSender(connection))
  }

  /** Opens all of them. @throws {Problem} "target-unreachable". */
  async open(): Promise<void> {
    const closed = this.#connections.values()
    const openSome = async (): Promise<void> => {
      for (const connection of closed) await connection.open()
    }
    try {
      await Promise.all(Array.from({ length: maxOpening }, openSome))
    } catch (error) {
      throw unreachable(error)
    }
  }

  /** Gives up calls whose deadline has passed, until it is disposed. */
  watchDeadlines(): Disposable {
    const { everyMs, ticks } = computeTicks(this.#context.deadlineMs)
    const ticking = setInterval(() => {
      this.#tick += 1
      for (const connection of this.#connections) if (this.#tick - connection.sentTick > ticks) connection.giveUp()
    }, everyMs)
    return { [Symbol.dispose]: () => clearInterval(ticking) }
  }

  /** Sends a call over its connection. @returns false where the cursors that it continues have no more documents here. */
  send(sending: Sending): boolean {
    const { call, slot, session } = sending
    const continued = continuesCursor(call) ? cursorsIn(call) : []
    if (continued.length > 0 && continued.every((id) => this.#identities.cursor(id) === undefined)) return false
    if (session !== undefined) this.#sessions.add(session)
    this.#senders[slot]?.(sending)
    return true
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.giveUp()
    await this.#endSessions().catch(() => {})
    await Promise.all(this.#connections.map((connection) => connection.end(maxDrainMs)))
  }

  async #endSessions(): Promise<void> {
    const ids = [...this.#sessions].map((session) => ({ id: this.#identities.sessionId(session) }))
    for (let at = 0; at < ids.length; at += sessionsPerCommand) {
      const open = this.#connections.find(({ isOpen }) => isOpen)
      await open?.command({ endSessions: ids.slice(at, at + sessionsPerCommand) })
    }
  }

  /** Exchanges are made once for each connection, and find the call that it carries. */
  #createSender(connection: PooledConnection): (sending: Sending) => void {
    let current: Sending | undefined
    const createExchange = (unacknowledged: Exchange['unacknowledged']): (() => Exchange) => {
      const exchange: Exchange = {
        unacknowledged,
        begin: (_, message) => current && writeMessage(current.call, this.#server, message),
        take: (bytes, start, end, message) => {
          message.shrink()
          return current && this.#takeReply(current, bytes, start, end)
        },
      }
      return () => exchange
    }
    const [answered, posted] = [createExchange(undefined), createExchange(() => emptyReply)]
    const done = (outcome: Outcome): void => {
      const sending = current
      current = undefined
      sending?.ended(sending, outcome)
    }
    return (sending) => {
      current = sending
      connection.send(sending.call.acknowledged ? answered : posted, noArguments, undefined, done)
    }
  }

  /** @throws the error of a call that failed. One that was recorded too is what the application got, and none of the replay. */
  #takeReply({ call, operation }: Sending, bytes: Buffer, start: number, end: number): Reply {
    const { compareDocuments, tally } = this.#context
    const here = readReply(
      { bytes, document: start, end },
      end - start,
      compareDocuments ? createDigest : () => noDigest,
    )
    const { reply: recorded } = call
    if (recorded !== null) {
      if (differs(recorded, here, compareDocuments)) tally.count(operation, 'differing')
      if (recorded.upsertedIds.length > 0) this.#identities.setObjectIds(recorded.upsertedIds, here.upsertedIds)
      if (recorded.cursor || continuesCursor(call))
        for (const id of listCursors(call)) this.#identities.setCursor(id, here.cursor ?? 0n)
    }
    if (here.code === 0 ? here.ok : here.code === recorded?.code) return emptyReply
    throw createReplyError(decodeReply(bytes, start, end))
  }
}
