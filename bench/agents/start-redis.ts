import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { findFreePort } from '../../src/servers/targets/server/process/server-process.ts'
import { gone } from '../start-process.ts'

/** Resources that a server has used since it was started, and those that it holds now. */
export type RedisUsage = {
  readonly cpuSeconds: number
  readonly inputBytes: number
  readonly outputBytes: number
  readonly memoryBytes: number
  readonly clients: number
}

/** A Redis or Valkey server of a bench. Disposing ends it. */
export type BenchRedis = AsyncDisposable & {
  readonly url: string
  readonly maxClients: number
  readonly usage: () => Promise<RedisUsage>
}

/** Starts a server that keeps nothing on disk. */
export async function startRedis(binary: string): Promise<BenchRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'mongo-perf-bench-'))
  const port = await findFreePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const child = spawn(binary, args, { stdio: 'ignore' })
  const client = new Redis(port, { maxRetriesPerRequest: null, retryStrategy: () => 50 })
  // It is not there at once.
  client.on('error', () => undefined)
  const figures = async (): Promise<(name: string) => number> => {
    const text = await client.info()
    return (name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? NaN)
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    maxClients: (await figures())('maxclients'),
    async usage() {
      const figure = await figures()
      return {
        cpuSeconds: figure('used_cpu_sys') + figure('used_cpu_user'),
        inputBytes: figure('total_net_input_bytes'),
        outputBytes: figure('total_net_output_bytes'),
        memoryBytes: figure('used_memory'),
        clients: figure('connected_clients'),
      }
    },
    async [Symbol.asyncDispose]() {
      client.disconnect()
      child.kill('SIGKILL')
      await gone(child)
      await rm(folder, { recursive: true })
    },
  }
}
