import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { findFreePort } from '../../src/servers/targets/server/process/server-process.ts'

/** A Redis or Valkey server of a test. Disposing ends it. */
export type TestRedis = AsyncDisposable & {
  readonly url: string
  readonly client: Redis
  /** Keys but those that running agents announce themselves with. */
  readonly keys: () => Promise<readonly string[]>
  readonly kill: () => Promise<void>
  /** After `kill`: on the same port, with the data that it saved, and with more arguments. */
  readonly startAgain: (more?: readonly string[]) => Promise<void>
}

const readyWithinMs = 30_000

/** @param args More arguments, such as `--requirepass`. It keeps no data without them. */
export async function startTestRedis(
  binary: string,
  args: readonly string[] = [],
  credentials = '',
): Promise<TestRedis> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const port = await findFreePort()
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const start = (more: readonly string[] = []): ChildProcess =>
    spawn(binary, [...own, ...args, ...more], { stdio: 'ignore' })
  let child = start()
  const url = `redis://${credentials}127.0.0.1:${port}`
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  async function answers(): Promise<void> {
    const late = AbortSignal.timeout(readyWithinMs)
    await Promise.race([
      client.ping(),
      once(late, 'abort').then(() => Promise.reject(new Error('Redis does not answer'))),
    ])
  }
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await answers()
  return {
    url,
    client,
    keys: async () => (await client.keys('*')).filter((key) => !/^mongo-perf:agents?(:|$)/.test(key)),
    kill,
    async startAgain(more) {
      child = start(more)
      await answers()
    },
    async [Symbol.asyncDispose]() {
      client.disconnect()
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
