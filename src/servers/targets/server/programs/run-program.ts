import { execFile } from 'node:child_process'
import { forMany } from '../../../../core/clock.ts'
import { envOfChildren, type Machine } from '../../../machine.ts'

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
    execFile(program, args, { env, timeout: timeoutMs, killSignal: 'SIGKILL', signal }, (error, stdout, stderr) => {
      if (!error) return resolve({ ok: true, stdout })
      const code = error.killed ? `no end within ${timeoutMs / 1000} s` : (error.code ?? error.signal ?? 'unknown')
      resolve({ ok: false, code: String(code), stderr })
    })
  })
}
