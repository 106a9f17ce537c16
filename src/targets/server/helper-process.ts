import { type ChildProcess, fork, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Machine } from './machine.ts'

/** The built tool runs `.js` files as they are; run from the source, a helper needs tsx as its parent did. */
const fromSource = import.meta.url.endsWith('.ts')

/** How Node runs a file of this folder, given by its path without extension. */
function commandFor(name: string): { readonly file: string; readonly execArgv: readonly string[] } {
  const file = fileURLToPath(new URL(`${name}${fromSource ? '.ts' : '.js'}`, import.meta.url))
  if (!fromSource) return { file, execArgv: [] }
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return { file, execArgv: ['--import', tsx] }
}

/** A helper that talks to us by messages and that we may end. It says nothing on our terminal. */
export function forkHelper(
  name: string,
  args: readonly string[],
  options: { readonly env?: Machine['env']; readonly signal?: AbortSignal; readonly detached?: boolean },
): ChildProcess {
  const { file, execArgv } = commandFor(name)
  return fork(file, args, {
    ...options,
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
  })
}

/** A helper that outlives us: in a session of its own, holding nothing of ours but the reading end of a pipe. */
export function spawnDetachedHelper(name: string, args: readonly string[]): ChildProcess {
  const { file, execArgv } = commandFor(name)
  return spawn(process.execPath, [...execArgv, file, ...args], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
}
