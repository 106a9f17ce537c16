import { type Document } from 'bson'
import { runCommand } from '../../../protocol/wire/run-command.ts'
import { plainSettings } from '../../../protocol/wire/settings.ts'

/** Sends one command over a connection of its own, straight to one server that mongo-perf started. */
export const adminCommand = (port: number, command: Document, timeoutMs: number): Promise<Document> =>
  runCommand(plainSettings(`127.0.0.1:${port}`), command, timeoutMs)
