import { type Document } from 'bson'
import { runCommand } from '../../../../protocol/wire/run-command.ts'
import { plainSettings } from '../../../../protocol/wire/settings.ts'

/** Sends one command over a connection of its own, straight to one server that mongo-perf started. */
export const adminCommand = (port: number, command: Document, timeoutMs: number): Promise<Document> =>
  runCommand(plainSettings(`127.0.0.1:${port}`), command, timeoutMs)

/** The process id of the server that answers on a port of this machine. Undefined: none answers within 2 s. */
export async function readPid(port: number): Promise<number | undefined> {
  const status = await adminCommand(port, { serverStatus: 1 }, 2_000).catch(() => undefined)
  const pid: unknown = status?.['pid']
  return pid === undefined ? undefined : Number(pid)
}
