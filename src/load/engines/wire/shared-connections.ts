import { type Clock } from '../../../core/clock.ts'
import { type Connection } from '../../../protocol/wire/connection.ts'
import { type ConnectionPool } from '../../plan/plan.ts'
import { type RecordWait } from '../engine.ts'
import { namedError } from './replies/write-reply.ts'

/** A call that waits for a connection. */
type Waiting = {
  readonly sinceMs: number
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

/**
 * Connections that are lent for one call each, as the pool of the driver lends its own: to the calls that wait in the order in
 * which they came. A call that finds one ready makes no promise.
 */
export class SharedConnections {
  readonly #limits: ConnectionPool
  readonly #open: () => Promise<Connection>
  readonly #clock: Clock
  // The one that was used last is lent first, as the driver does it.
  readonly #ready: Connection[] = []
  readonly #waiting: Waiting[] = []
  readonly #ended = new AbortController()
  /** Connections that are open, or being opened. */
  #count = 0
  #opening = 0
  #isWatched = false
  record: RecordWait = () => {}

  constructor(limits: ConnectionPool, open: () => Promise<Connection>, clock: Clock) {
    this.#limits = limits
    this.#open = open
    this.#clock = clock
  }

  /** Opens connections up to this number, or up to the maximum. @throws what opening one throws. */
  async fill(connections: number): Promise<void> {
    const wanted = Math.min(connections, this.#limits.maxPoolSize)
    const openSome = async (): Promise<void> => {
      while (this.#count < wanted) await this.#openOne()
    }
    await Promise.all(Array.from({ length: this.#limits.maxConnecting }, openSome))
  }

  /** A connection that is ready, for a call. Undefined: the call has to wait. */
  take(): Connection | undefined {
    if (this.#waiting.length > 0) return undefined
    const connection = this.#takeReady()
    if (connection !== undefined) this.record(0)
    return connection
  }

  /** Waits for a connection. @throws what opening one throws, or that it took too long. */
  wait(): Promise<Connection> {
    if (this.#ended.signal.aborted) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sinceMs: this.#clock.now(), resolve, reject })
      this.#serve()
      if (!this.#isWatched && this.#limits.waitQueueTimeoutMS > 0) void this.#watchQueue()
    })
  }

  /** The call that had the connection is over. */
  giveBack(connection: Connection): void {
    if (this.#ended.signal.aborted) return connection.close()
    this.#ready.push(connection)
    this.#serve()
  }

  /** Takes all connections that are ready, to be closed. Calls that wait fail. */
  end(): readonly Connection[] {
    this.#ended.abort()
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    return this.#ready.splice(0)
  }

  #takeReady(): Connection | undefined {
    for (let connection = this.#ready.pop(); connection !== undefined; connection = this.#ready.pop()) {
      if (!connection.isClosed()) return connection
      this.#count -= 1
    }
    return undefined
  }

  #serve(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const connection = this.#takeReady()
      if (connection === undefined) break
      this.#leaveQueue()?.resolve(connection)
    }
    const { maxPoolSize, maxConnecting } = this.#limits
    const mayOpen = Math.min(maxConnecting, this.#waiting.length) - this.#opening
    for (let i = Math.min(mayOpen, maxPoolSize - this.#count); i > 0; i--)
      // As with the driver, an error ends one call, and the next one tries again.
      this.#openOne().catch((error: unknown) => {
        this.#leaveQueue()?.reject(error)
        this.#serve()
      })
  }

  async #openOne(): Promise<void> {
    this.#count += 1
    this.#opening += 1
    try {
      const connection = await this.#open()
      this.#opening -= 1
      this.giveBack(connection)
    } catch (error) {
      this.#opening -= 1
      this.#count -= 1
      throw error
    }
  }

  #leaveQueue(): Waiting | undefined {
    const first = this.#waiting.shift()
    if (first !== undefined) this.record(this.#clock.now() - first.sinceMs)
    return first
  }

  /** Ends calls that wait for too long. Asleep until the first of them does: one timer, and none while nothing waits. */
  async #watchQueue(): Promise<void> {
    this.#isWatched = true
    const { waitQueueTimeoutMS } = this.#limits
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const leftMs = first.sinceMs + waitQueueTimeoutMS - this.#clock.now()
      if (leftMs > 0) await this.#clock.sleep(leftMs, this.#ended.signal)
      else this.#leaveQueue()?.reject(waitedTooLong())
    }
    this.#isWatched = false
  }
}

/** The error of calls that come when the engine is closed. */
export const closed = (): Error => namedError('MongoClientClosedError', 'The engine has been closed')

const waitedTooLong = (): Error =>
  namedError('MongoWaitQueueTimeoutError', 'Timed out while checking out a connection from connection pool')
