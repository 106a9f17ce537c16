import { type ChildProcess, type ChildProcessByStdio, fork, spawn, execFile } from 'node:child_process'
import { type Readable, type Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { forMany } from '../core/clock.ts'
import { entryPath, type StartedEntry } from '../core/entries.ts'
import { isFromSource, requireFromPackage } from '../core/package-root.ts'
import { envOfChildren, type Machine } from './machine.ts'

/** For every process that we start: Windows opens a console window for it otherwise. */
export const hidden = { windowsHide: true } as const

/** How Node runs an entry: as it is once it is built, and with tsx from its source, as its parent does. */
function commandFor(entry: StartedEntry): { readonly file: string; readonly execArgv: readonly string[] } {
  const tsx = isFromSource ? ['--import', pathToFileURL(requireFromPackage.resolve('tsx')).href] : []
  return { file: entryPath(entry), execArgv: tsx }
}

/** A helper that talks to us by messages and that we may end. It prints nothing on our terminal. */
export function forkHelper(
  entry: StartedEntry,
  args: readonly string[],
  options: { readonly env?: Machine['env']; readonly signal?: AbortSignal; readonly detached?: boolean },
): ChildProcess {
  const { file, execArgv } = commandFor(entry)
  return fork(file, args, {
    ...options,
    ...hidden,
    env: envOfChildren(options.env),
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
  })
}

/** A detached helper process with a pipe to its stdin and one from its stdout. */
export type DetachedHelper = ChildProcessByStdio<Writable, Readable, null>

/** A helper that outlives us: in a session of its own, holding nothing of ours but its ends of two pipes. */
export function spawnDetachedHelper(entry: StartedEntry, args: readonly string[]): DetachedHelper {
  const { file, execArgv } = commandFor(entry)
  const env = envOfChildren()
  return spawn(process.execPath, [...execArgv, file, ...args], {
    ...hidden,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

/** The outcome of a program: its standard output, or its error code and standard error. */
export type ProgramEnd =
  | { readonly ok: true; readonly stdout: string }
  /** `code` is the error of the system (ENOENT, EACCES), the exit code or the signal. */
  | { readonly ok: false; readonly code: string; readonly stderr: string }

/** Runs a program to its end and never throws. A program that takes longer than `timeoutMs` is killed. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly env: Machine['env']; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const { timeoutMs, signal } = options
    const env = envOfChildren(options.env)
    forMany(signal)
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', signal } as const
    execFile(program, args, { ...hidden, ...limits, env }, (error, stdout, stderr) => {
      if (!error) return resolve({ ok: true, stdout })
      const code = error.killed ? `no end within ${timeoutMs / 1000} s` : (error.code ?? error.signal ?? 'unknown')
      resolve({ ok: false, code: String(code), stderr })
    })
  })
}

const runFile = promisify(execFile)

/** Runs a small program of the system. @throws when it is not here, fails, or takes longer than 30 s. */
export const runTool = async (program: string, args: readonly string[]): Promise<void> =>
  void (await runFile(program, args, { ...hidden, timeout: 30_000 }))
