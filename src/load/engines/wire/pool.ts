import { type NamedArguments } from '../intent.ts'
import { type SessionFields } from './message.ts'
import { type Exchange } from './method.ts'
import { PooledConnection, type PooledConnectionContext, type OperationCallback } from './pooled-connection.ts'

/** Lanes to the members that one kind of calls goes to: as many as there are calls at the same time. */
export type Pool = {
  /** Sends like `send` of a lane that is free. */
  readonly send: (
    createExchange: () => Exchange,
    args: NamedArguments,
    session: SessionFields | undefined,
    done: OperationCallback,
  ) => void
  /** Resolves when so many connections stand ready. @throws what opening a connection throws. */
  readonly open: (connections: number) => Promise<void>
  readonly pooledConnections: readonly PooledConnection[]
}

/** Connections that are opened at the same time: a server takes their logins one after the other. */
const maxOpening = 32

/** Creates a pool without a connection. */
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
      while (pooledConnections.length < connections) idle.push(addConnection())
      const closed = pooledConnections.filter(({ isOpen, isBusy }) => !isOpen && !isBusy).values()
      const openSome = async (): Promise<void> => {
        for (const connection of closed) await connection.open()
      }
      await Promise.all(Array.from({ length: maxOpening }, openSome))
    },
  }
}
