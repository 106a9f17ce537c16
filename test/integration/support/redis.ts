import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import { findFreePort } from '../../../src/targets/server/free-port.ts'

/** A Redis or Valkey server of a test. Disposing ends it. */
export type TestRedis = AsyncDisposable & {
  readonly url: string
  readonly client: Redis
  /** Keys but those that running agents announce themselves with. */
  readonly keys: () => Promise<readonly string[]>
  readonly kill: () => void
}

const readyWithinMs = 30_000

/** @param args More arguments, such as `--requirepass`. */
export async function startTestRedis(args: readonly string[] = [], credentials = ''): Promise<TestRedis> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const port = await findFreePort()
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const child = spawn(inject('redisPath'), [...own, ...args], { stdio: 'ignore' })
  const url = `redis://${credentials}127.0.0.1:${port}`
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  const late = AbortSignal.timeout(readyWithinMs)
  await Promise.race([
    client.ping(),
    once(late, 'abort').then(() => Promise.reject(new Error('Redis does not answer'))),
  ])
  return {
    url,
    client,
    keys: async () => (await client.keys('*')).filter((key) => !/^mongo-perf:agents?(:|$)/.test(key)),
    kill: () => void child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      client.disconnect()
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
