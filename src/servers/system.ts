import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

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
