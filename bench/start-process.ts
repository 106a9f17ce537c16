import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A TypeScript file of ours as a process of its own. */
export const startProcess = (
  file: URL,
  args: readonly string[],
  stdio: NonNullable<SpawnOptions['stdio']>,
): ChildProcess =>
  spawn(process.execPath, ['--import', import.meta.resolve('tsx'), fileURLToPath(file), ...args], { stdio })

/** Resolves when it is gone. */
export async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
