import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSupervisor } from '../../src/servers/targets/server/guardian/supervisor.ts'
import { recordChild } from '../../src/servers/targets/server/process/launch-program.ts'
import { makeLogFolder, type ProcessFolders } from '../../src/servers/targets/server/process/server-folders.ts'
import { findFreePort } from '../../src/servers/targets/server/process/server-process.ts'
import { comesTrue } from './wait.ts'

/** A bare `mongod` that a test may freeze and kill. Disposing ends it and removes its data, as the guardian does if we are killed. */
export type TestMongod = AsyncDisposable & {
  readonly uri: string
  /** Stops all of its threads; its sockets stay open, as those of a host that hangs. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => void
  /** Resolves once it is gone: until then the system may still take connections for it. */
  readonly kill: () => Promise<void>
}

/**
 * A server looks at itself once a second, and a window waits for its next look: ten looks a second make tests quicker.
 */
export const lookOften = { diagnosticDataCollectionPeriodMillis: 100 } as const

const portTries = 5
/** How a mongod ends that cannot listen on its port: others took it after we had found it free. */
const portTakenExitCode = 48
const longestStartMs = 90_000

/** Its records are its own: tests count those of the program. */
const supervisor = createSupervisor(path.join(tmpdir(), 'mongo-perf-test-servers'))

/** @param args More arguments, such as `--auth`. */
export async function startTestMongod(binary: string, args: readonly string[] = []): Promise<TestMongod> {
  await supervisor.guard()
  for (let attempt = 1; ; attempt++) {
    const folders = await makeLogFolder('test', 'mongod', tmpdir())
    const port = await findFreePort()
    const child = launch(binary, folders, port, args)
    const record = recordChild(child, { name: 'test', port, folders: [...folders.owned], groups: [] }, supervisor)
    const stop = async (): Promise<void> => {
      await end(child)
      await folders.remove()
      if (record !== undefined) supervisor.forget(record)
    }
    if (await listens(child, folders))
      return {
        uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
        freeze: () => freeze(child),
        thaw: () => void child.kill('SIGCONT'),
        kill: () => end(child),
        [Symbol.asyncDispose]: stop,
      }
    const { exitCode } = child
    const log = await readLog(folders)
    await stop()
    if (exitCode !== portTakenExitCode || attempt === portTries)
      throw new Error(`The mongod of a test did not start (exit code ${exitCode}):\n${log}`)
  }
}

function launch(binary: string, { log, owned }: ProcessFolders, port: number, args: readonly string[]): ChildProcess {
  const looks = Object.entries(lookOften).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`])
  const where = ['--dbpath', ...owned, '--port', String(port), '--bind_ip', '127.0.0.1']
  const sockets = args.includes('--unixSocketPrefix') ? [] : ['--nounixsocket']
  const what = ['--logpath', log, '--wiredTigerCacheSizeGB', '0.25']
  return spawn(binary, [...where, ...sockets, ...what, ...looks, ...args], { stdio: 'ignore' })
}

const readLog = ({ log }: ProcessFolders): Promise<string> => readFile(log, 'utf8').catch(() => '')

/** By its own word: whoever answers on the port may be another server, which took it meanwhile. */
async function listens(child: ChildProcess, folders: ProcessFolders): Promise<boolean> {
  const isListening = async (): Promise<boolean> => /waiting for connections/i.test(await readLog(folders))
  await comesTrue(async () => hasEnded(child) || (await isListening()), longestStartMs)
  return !hasEnded(child) && (await isListening())
}

/** The signal reaches one thread after the other, and a thread that is not yet stopped still answers. */
async function freeze(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  const tasks = `/proc/${child.pid}/task`
  const isStopped = async (thread: string): Promise<boolean> =>
    /\) [Tt] /.test(await readFile(path.join(tasks, thread, 'stat'), 'utf8').catch(() => 'it has just ended'))
  let states: boolean[]
  do states = await Promise.all((await readdir(tasks)).map(isStopped))
  while (states.includes(false))
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
