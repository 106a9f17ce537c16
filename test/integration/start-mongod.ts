import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MongoClient } from 'mongodb'

/** A bare `mongod` that a test may freeze and kill. Disposing ends it and removes its data. */
export type TestMongod = AsyncDisposable & {
  readonly uri: string
  /** Stops all of its threads; its sockets stay open, as those of a host that hangs. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => void
  readonly kill: () => void
}

/**
 * A server looks at itself once a second, and a window waits for its next look: ten looks a second make tests quicker.
 */
export const lookOften = { diagnosticDataCollectionPeriodMillis: 100 } as const

/** @param args More arguments, such as `--auth`. */
export async function startTestMongod(binary: string, args: readonly string[] = []): Promise<TestMongod> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const port = await freePort()
  const looks = Object.entries(lookOften).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`])
  const where = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket']
  const child = spawn(binary, [...where, '--wiredTigerCacheSizeGB', '0.25', ...looks, ...args], { stdio: 'ignore' })
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`
  const stop = async (): Promise<void> => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answer(uri)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    uri,
    freeze: () => freeze(child),
    thaw: () => void child.kill('SIGCONT'),
    kill: () => void child.kill('SIGKILL'),
    [Symbol.asyncDispose]: stop,
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function answer(uri: string): Promise<void> {
  await using client = new MongoClient(uri, { serverSelectionTimeoutMS: 60_000 })
  await client.db('admin').command({ ping: 1 })
}

/** The signal reaches one thread after the other, and a thread that is not yet stopped still answers. */
async function freeze(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  const tasks = `/proc/${child.pid}/task`
  const isStopped = async (thread: string): Promise<boolean> =>
    /\) [Tt] /.test(await readFile(path.join(tasks, thread, 'stat'), 'utf8'))
  let states: boolean[]
  do states = await Promise.all((await readdir(tasks)).map(isStopped))
  while (states.includes(false))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
