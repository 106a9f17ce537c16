import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { gone, startProcess } from '../start-process.ts'
import { type Release } from './replies.ts'

/** How a stub server answers. */
export type StubSettings = {
  /** Between a command and its reply; those that belong to the connection are answered at once. Default 0. */
  readonly delayMs?: number
  /** BSON size of the one document that every read returns. Default 1024. */
  readonly documentBytes?: number
  /** Release that it claims to be. Default 7.0. */
  readonly release?: Release
}

/** A server that stores nothing and answers every command alike. Disposing ends its process. */
export type StubServer = AsyncDisposable & { readonly uri: string; readonly pid: number }

/**
 * Starts a server that takes next to nothing of a client's time, in a process of its own: what is left to measure is the
 * client. It ends with this process, whatever that one's end is.
 */
export async function startStubServer({
  delayMs = 0,
  documentBytes = 1024,
  release = '7.0',
}: StubSettings = {}): Promise<StubServer> {
  const args = [`--delay-ms=${delayMs}`, `--document-bytes=${documentBytes}`, `--release=${release}`]
  const child = startProcess(new URL('main.ts', import.meta.url), args, ['pipe', 'pipe', 'inherit'])
  const { pid, stdin, stdout } = child
  if (pid === undefined || !stdin || !stdout) throw new Error('The stub server could not be started')
  const lines = createInterface(stdout)
  const [port] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The stub server ended with ${code}`))),
  ])) as [string]
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    pid,
    async [Symbol.asyncDispose]() {
      stdin.end()
      await gone(child)
    },
  }
}
