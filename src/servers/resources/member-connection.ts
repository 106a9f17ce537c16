import { type MongoClient, MongoServerError } from 'mongodb'
import { createAdminClient } from '../targets/connection/admin-client.ts'
import { type Fields } from './sample.ts'

/** Sends a command to one member and returns its reply, with nested documents as bytes. Throws where there is none. */
export type Ask = (command: Fields) => Promise<Fields>

/** Timeout of a poll: a frozen server must not delay the end of a window. */
const pollTimeoutMs = 1500

/** Connects on the first command. It is a separate connection, so that sampling never waits behind measured calls. */
export function connectMember(uri: string): { readonly ask: Ask; readonly close: () => Promise<void> } {
  let connected: Promise<MongoClient> | null = null

  /** A client whose first connect failed stays closed, so the next command gets a new one. */
  function connect(): Promise<MongoClient> {
    connected ??= openClient(uri).catch((error: unknown) => {
      connected = null
      throw error
    })
    return connected
  }

  return {
    async ask(command) {
      const client = await connect()
      return client.db('admin').command(command, { raw: true, signal: AbortSignal.timeout(pollTimeoutMs) })
    },
    async close() {
      const client = await connected?.catch(() => null)
      await client?.close()
    },
  }
}

async function openClient(uri: string): Promise<MongoClient> {
  const client = createAdminClient(uri, { purpose: 'sampler', reachMs: pollTimeoutMs, pollMs: pollTimeoutMs })
  try {
    return await client.connect()
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Server codes that a retry does not change: missing permission, or an unknown command. */
const refusals: ReadonlySet<unknown> = new Set([13, 18, 59, 115, 323, 8000])

/** Whether a server will refuse a command again. */
export const isRefusal = (error: unknown): boolean => error instanceof MongoServerError && refusals.has(error.code)

/** Why there was no reply. Only names and codes: messages may contain addresses. */
export function explain(command: string, error: unknown): string {
  if (error instanceof MongoServerError) return `${command} was refused (${String(error['codeName'] ?? error.code)})`
  return `the server did not answer ${command} (${error instanceof Error ? error.name : 'unknown error'})`
}
