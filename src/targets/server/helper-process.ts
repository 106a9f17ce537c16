import { type ChildProcess, type ChildProcessByStdio, fork, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { type Readable, type Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { envOfChildren, type Machine } from './machine.ts'

/** The built tool runs `.js` files as they are; run from the source, a helper needs tsx as its parent did. */
const fromSource = import.meta.url.endsWith('.ts')

/** How Node runs a file of this folder, given by its path without extension. */
function commandFor(name: string): { readonly file: string; readonly execArgv: readonly string[] } {
  const file = fileURLToPath(new URL(`${name}${fromSource ? '.ts' : '.js'}`, import.meta.url))
  if (!fromSource) return { file, execArgv: [] }
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { file, execArgv: ['--import', tsx] }
}

/** A helper that talks to us by messages and that we may end. It prints nothing on our terminal. */
export function forkHelper(
  name: string,
  args: readonly string[],
  options: { readonly env?: Machine['env']; readonly signal?: AbortSignal; readonly detached?: boolean },
): ChildProcess {
  const { file, execArgv } = commandFor(name)
  return fork(file, args, {
    ...options,
    env: envOfChildren(options.env),
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
  })
}

/** A detached helper process with a pipe to its stdin and one from its stdout. */
export type DetachedHelper = ChildProcessByStdio<Writable, Readable, null>

/** A helper that outlives us: in a session of its own, holding nothing of ours but its ends of two pipes. */
export function spawnDetachedHelper(name: string, args: readonly string[]): DetachedHelper {
  const { file, execArgv } = commandFor(name)
  const env = envOfChildren()
  return spawn(process.execPath, [...execArgv, file, ...args], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}
