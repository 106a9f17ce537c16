import { MongoClient } from 'mongodb'

/** Sends one command over a connection of its own, straight to one server of ours. */
export async function adminCommand(
  port: number,
  command: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  const options = { directConnection: true, serverSelectionTimeoutMS: timeoutMs, socketTimeoutMS: timeoutMs }
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, options)
  try {
    return await client.db('admin').command(command)
  } finally {
    await client.close()
  }
}
