import { spawnSync } from 'node:child_process'

/** Output of a process, and how long it took from its start to its end. */
export type NodeRun = { readonly ms: number; readonly stdout: string }

/** Runs Node with arguments. */
export function runNode(args: readonly string[]): NodeRun {
  const startMs = performance.now()
  const { status, stdout } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: is the program built?`)
  return { ms: performance.now() - startMs, stdout: String(stdout) }
}
