import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Problem } from '../../../../core/errors.ts'

const run = promisify(execFile)
const program = 'prlimit'
const timeoutMs = 5_000

/**
 * Limits the size of the files that a running process of ours may write; the kernel ends one that writes beyond. The soft
 * limit alone, which needs no root, not even to be lifted again.
 * @param bytes Null: no limit.
 */
export async function setFileSizeLimit(pid: number, bytes: number | null): Promise<void> {
  await run(program, ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`], { timeout: timeoutMs })
}

/** @throws {Problem} "not-measurable-here" where the size of files cannot be limited. */
export async function checkFileSizeLimit(): Promise<void> {
  try {
    await run(program, ['--version'], { timeout: timeoutMs })
  } catch {
    throw new Problem(
      'not-measurable-here',
      `The size of the files of a server is limited with ${program} of util-linux, which is not here`,
      {
        hint: 'Run on Linux with util-linux, or take "fileSizeLimit" out of the faults.',
      },
    )
  }
}
