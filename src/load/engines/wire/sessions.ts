import { randomUUID } from 'node:crypto'
import { UUID } from 'bson'
import type { Clock } from '../../../core/clock.ts'
import type { BsonWriter } from '../../../protocol/bson/writer.ts'
import { type Reply, type TransactionSettings, emptyReply } from '../engine.ts'
import type { NamedArguments } from '../intent.ts'
import { type CallSession, createBackOff, runManaged } from '../transactions/run-transaction.ts'
import { writeFields } from './commands/options.ts'
import { type SessionFields, createTemplate } from './message.ts'
import { type Exchange, toServerWriteConcern } from './method.ts'
import type { Pool } from './pool.ts'
import { WriteReply } from './replies/write-reply.ts'

/** Sends a command of a session, and rejects with what went wrong. */
type SendInSession = (createExchange: () => Exchange, args: NamedArguments, session: SessionFields) => Promise<Reply>

/** The transactions of one session, one after the other. */
class WireSession implements SessionFields {
  readonly lsid = { id: new UUID(randomUUID()) }
  readonly #readConcern: object
  #txnNumber = 0n
  /** Whether a command of this transaction has been sent. */
  #hasBegun = false
  #commits = 0

  constructor({ readConcern }: TransactionSettings) {
    this.#readConcern = readConcern
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  start(): void {
    this.#txnNumber += 1n
    this.#hasBegun = false
    this.#commits = 0
  }

  /** @returns how often this transaction has been committed before. */
  countCommit(): number {
    return this.#commits++
  }

  write(out: BsonWriter): void {
    out.element('lsid', this.lsid)
    out.element('txnNumber', this.#txnNumber)
    out.element('autocommit', false)
    if (this.#hasBegun) return
    out.element('startTransaction', true)
    out.element('readConcern', this.#readConcern)
    this.#hasBegun = true
  }
}

/** Opens sessions for the transactions of an operation, and keeps them for the next. */
export function createSessions({
  pool,
  settings,
  steps,
  clock,
}: {
  readonly pool: Pool
  readonly settings: TransactionSettings
  /** The exchanges of the steps, by what a call names. */
  readonly steps: readonly ((args: NamedArguments) => () => Exchange)[]
  readonly clock: Clock
}): { readonly open: () => CallSession; readonly ids: () => readonly object[] } {
  const all: WireSession[] = []
  const free: WireSession[] = []
  const send = sendBy(pool)
  const backOff = createBackOff(clock)
  const commit = { commitTransaction: 1, writeConcern: toServerWriteConcern(settings) }
  // As the driver does it: what the first commit had to reach, the second has to have reached.
  const commitAgain = {
    commitTransaction: 1,
    writeConcern: { wtimeout: 10_000, ...commit.writeConcern, w: 'majority' },
  }

  function take(): WireSession {
    const session = free.pop() ?? new WireSession(settings)
    if (!all.includes(session)) all.push(session)
    return session
  }

  return {
    ids: () => all.map(({ lsid }) => lsid),
    open() {
      const session = take()
      const endWith = async (command: object): Promise<void> => {
        // There is nothing to end that the server does not know.
        if (session.hasBegun) await send(endTransaction, { command, options: {} }, session)
      }
      return {
        session: {
          startTransaction: () => session.start(),
          commitTransaction: () => endWith(session.countCommit() === 0 ? commit : commitAgain),
          abortTransaction: () => endWith({ abortTransaction: 1 }),
        },
        makeStep(step, { args }) {
          const exchangesOf = steps[step]
          if (exchangesOf === undefined) throw new RangeError('The transaction has no such step')
          return send(exchangesOf(args), args, session)
        },
        runWhole: (run) => runManaged({ ...run, maxAttempts: settings.maxAttempts ?? Infinity, backOff }),
        async end() {
          free.push(session)
        },
      }
    },
  }
}

const sendBy =
  (pool: Pool): SendInSession =>
  (createExchange, args, session) =>
    new Promise((resolve, reject) =>
      pool.send(createExchange, args, session, (outcome, error) => {
        if (error === undefined) resolve(outcome.reply)
        else reject(error)
      }),
    )

const bare = createTemplate({})

/** The exchange for commands that commit or abort. */
function endTransaction(): Exchange {
  const reply = new WriteReply()
  return {
    unacknowledged: undefined,
    begin({ command }, message) {
      writeFields({ ...(command as object), $db: 'admin' }, message.begin(bare))
      message.endBody()
      message.finish()
    },
    take(bytes, start, end) {
      reply.require(bytes, start, end)
      return emptyReply
    },
  }
}
