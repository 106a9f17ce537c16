import { type Document } from 'bson'
import { systemClock } from '../../core/clock.ts'
import { openConnection, type Connection } from './connection.ts'
import { type ConnectionSettings } from './settings.ts'

/** Sends one command over a connection of its own. @param timeoutMs For all of it. */
export async function runCommand(
  settings: ConnectionSettings,
  command: Document,
  timeoutMs: number,
): Promise<Document> {
  const dueMs = systemClock.now() + timeoutMs
  using connection = await openConnection({ ...settings, openTimeoutMs: timeoutMs })
  const late = (): void => connection.close(`gave no reply within ${timeoutMs / 1000} s`)
  const timer = setTimeout(late, dueMs - systemClock.now())
  try {
    return await connection.command(command)
  } finally {
    clearTimeout(timer)
  }
}

/** A way to one server that outlives its restarts. One command at a time. */
export type LastingConnection = Disposable & {
  /** Sends like that of a `Connection`, over a new one where there is none. Only the next command is tried again, never one that failed. */
  readonly command: (command: Document) => Promise<Document>
  readonly close: () => void
}

/**
 * Connects when a command needs it. A driver would watch the server by itself, give up connections that do not answer in time,
 * and wait half a second between tries: here a server that was frozen answers as soon as it goes on, and one that died as soon
 * as it listens.
 */
export function createLastingConnection(settings: ConnectionSettings): LastingConnection {
  const closed = new AbortController()
  let connection: Connection | undefined
  const close = (): void => {
    closed.abort()
    connection?.close()
  }
  return {
    async command(command) {
      if (connection === undefined || connection.isClosed()) connection = await openConnection(settings, closed.signal)
      return await connection.command(command)
    },
    close,
    [Symbol.dispose]: close,
  }
}
