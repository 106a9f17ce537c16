import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built program, as people start it. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** A program that runs, in whatever process. */
export type Running = {
  readonly ended: Promise<Ended>
  /** Resolves to stderr so far when it has the words; rejects when the program ends without. */
  readonly says: (words: string) => Promise<string>
}

export type RunningProgram = Running & { readonly child: ChildProcess }

export type Environment = Readonly<Record<string, string>>

/** Starts Node with a program. */
export function startProgram(args: readonly string[], cwd: string, env: Environment): RunningProgram {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...texts }))
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => void (texts[stream] += text))
  }
  const says = waitFor(
    () => texts.stderr,
    ended,
    (look) => child.stderr.on('data', look),
  )
  return { child, ended, says }
}

/** @param onMore Has a function called with every text that comes. */
export const waitFor =
  (stderr: () => string, ended: Promise<Ended>, onMore: (look: () => void) => void): Running['says'] =>
  (words) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stderr().includes(words)) resolve(stderr())
      }
      look()
      onMore(look)
      void ended.then(({ code }) => reject(new Error(`Ended with ${code} before "${words}":\n${stderr()}`)), reject)
    })
