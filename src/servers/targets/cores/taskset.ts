import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { coreListText } from '../../core-list.ts'

const run = promisify(execFile)
const program = 'taskset'
const timeoutMs = 30_000
const maxAttempts = 5

/** Why no process can be pinned with `taskset`. Undefined where it works, which is tried. */
export const whyNoTaskset = (cores: readonly number[]): Promise<string | undefined> =>
  run(program, ['-c', coreListText(cores), 'true'], { timeout: timeoutMs }).then(
    () => undefined,
    () => `processes are pinned with ${program} of util-linux, which does not work here`,
  )

/** A command whose program runs on these cores alone. `taskset` becomes the program, so the process that is started stays the same. */
export const pinnedCommand = (cores: readonly number[] | undefined, command: readonly string[]): readonly string[] =>
  cores === undefined ? command : [program, '-c', coreListText(cores), ...command]

/** Pins a running process, with all of its threads and those that it makes from now on. */
export async function pinProcess(pid: number, cores: readonly number[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await run(program, ['-apc', coreListText(cores), String(pid)], { timeout: timeoutMs }))
    } catch (error) {
      // A thread that ends after the threads were listed makes it fail halfway.
      if (attempt === maxAttempts) throw error
    }
  }
}
