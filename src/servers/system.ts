import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The system that answers questions about processes. Handed in, so that a test runs three of them on one. */
export type System = {
  readonly platform: NodeJS.Platform
  /** Text of a file. @throws when it cannot be read. */
  readonly read: (file: string) => string
  /** Standard output of a program. @throws when it fails, or takes longer than 10 s. */
  readonly run: (program: string, args: readonly string[]) => string
}

/** The system that this process runs on. Programs answer in one language and one time zone, so that answers can be compared later. */
export const thisSystem: System = {
  platform: process.platform,
  read: (file) => readFileSync(file, 'utf8'),
  run: (program, args) =>
    execFileSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
      windowsHide: true,
    }),
}

/**
 * Reads what the kernel of Linux reports in a file of `/proc`, without blocking: some take it tens of milliseconds. Empty: there is no such file.
 * @param root Where the file system of the machine begins, by default "/".
 */
export const readProcFile = (file: string, root = '/'): Promise<string> =>
  readFile(path.join(root, 'proc', file), 'utf8').catch(() => '')
