import { MongoClient } from 'mongodb'

/** Sends one admin command and hangs up. */
export async function ask(uri: string, command: Record<string, unknown>): Promise<Record<string, unknown>> {
  await using client = new MongoClient(uri, { serverSelectionTimeoutMS: 30_000 })
  return await client.db('admin').command(command)
}

/** Process id of the server behind a URI. */
export async function pidOf(uri: string): Promise<number> {
  return Number((await ask(uri, { serverStatus: 1 }))['pid'])
}
