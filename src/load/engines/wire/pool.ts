import { type Document } from 'mongodb'
import { type NamedArguments } from '../intent.ts'
import { type SessionFields } from './message.ts'
import { type Exchange } from './method.ts'
import {
  drainAndClose,
  PooledConnection,
  type PooledConnectionContext,
  type OperationCallback,
} from './pooled-connection.ts'

/** Lanes to the members that one kind of calls goes to: as many as there are calls at the same time. */
export type Pool = {
  /** Sends like `send` of a lane that is free. */
  readonly send: (
    createExchange: () => Exchange,
    args: NamedArguments,
    session: SessionFields | undefined,
    done: OperationCallback,
  ) => void
  /** Resolves when this number of connections is open. @throws what opening a connection throws. */
  readonly open: (connections: number) => Promise<void>
  readonly pooledConnections: readonly PooledConnection[]
  /** Runs a command that is no call, where a connection is open. */
  readonly command: (command: Document) => Promise<void>
  /** Closes the connections. */
  readonly end: (withinMs: number) => Promise<void>
}

/** Connections that are opened at the same time: a server takes their logins one after the other. */
const maxOpening = 32

export function createPool(context: Omit<PooledConnectionContext, 'release'>): Pool {
  const pooledConnections: PooledConnection[] = []
  // The one that was used last is taken first: its memory is still in the cache.
  const idle: PooledConnection[] = []
  const withRelease: PooledConnectionContext = { ...context, release: (connection) => void idle.push(connection) }

  function addConnection(): PooledConnection {
    const connection = new PooledConnection(withRelease)
    pooledConnections.push(connection)
    return connection
  }

  return {
    pooledConnections,
    send: (createExchange, args, session, done) =>
      (idle.pop() ?? addConnection()).send(createExchange, args, session, done),
    async open(connections) {
      if (context.shared !== undefined) return await context.shared.fill(connections)
      while (pooledConnections.length < connections) idle.push(addConnection())
      const closed = pooledConnections.filter(({ isOpen, isBusy }) => !isOpen && !isBusy).values()
      const openSome = async (): Promise<void> => {
        for (const connection of closed) await connection.open()
      }
      await Promise.all(Array.from({ length: maxOpening }, openSome))
    },
    async command(command) {
      const shared = context.shared?.take()
      if (shared === undefined) return await pooledConnections.find(({ isOpen }) => isOpen)?.command(command)
      await shared.command(command).finally(() => context.shared?.giveBack(shared))
    },
    async end(withinMs) {
      const sentBlindly = pooledConnections.some(({ sendsBlindly }) => sendsBlindly)
      const shared = context.shared?.end() ?? []
      await Promise.all([
        ...pooledConnections.map((pooledConnection) => pooledConnection.end(withinMs)),
        ...shared.map((connection) => drainAndClose(connection, sentBlindly, withinMs)),
      ])
    },
  }
}
