import { type Document } from 'bson'
import { systemClock } from '../../core/clock.ts'
import { openConnection } from './connection.ts'
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
