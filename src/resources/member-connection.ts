import { type MongoClient, MongoServerError } from 'mongodb'
import { createAdminClient } from '../targets/admin-client.ts'
import { type Fields } from './path-reader.ts'

/** Sends a command to one member and gives its reply, nested documents still as bytes. Throws when there is none. */
export type Ask = (command: Fields) => Promise<Fields>

export type MemberConnection = { readonly ask: Ask; readonly close: () => Promise<void> }

/** A poll that takes longer than this is given up: a frozen server must not hold up the end of a window. */
const pollTimeoutMs = 1500

/** A connection of our own, so that asking never waits behind the calls that are measured. Made when first needed. */
export function connectMember(uri: string): MemberConnection {
  let connected: Promise<MongoClient> | null = null

  /** A client whose first connect failed stays closed for good, so the next question gets a new one. */
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

/** Server codes that asking again does not change: the user may not, or the server knows no such command. */
const refusals: ReadonlySet<unknown> = new Set([13, 18, 59, 115, 323, 8000])

export const isRefusal = (error: unknown): boolean => error instanceof MongoServerError && refusals.has(error.code)

/** Why there was no reply. Only names and codes: messages may carry addresses. */
export function explain(command: string, error: unknown): string {
  if (error instanceof MongoServerError) return `${command} was refused (${String(error['codeName'] ?? error.code)})`
  return `the server did not answer ${command} (${error instanceof Error ? error.name : 'unknown error'})`
}
