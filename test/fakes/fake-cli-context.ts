import { type Command } from 'commander'
import { expect } from 'vitest'
import { type CliContext, plainScreen } from '../../src/cli/cli-context.ts'
import { createProgram } from '../../src/cli/program.ts'
import { asksForJson, showError } from '../../src/cli/terminal/show-error.ts'
import { worseExit } from '../../src/core/errors.ts'

export type FakeCliContext = CliContext & {
  /** What has been printed so far. */
  readonly output: { stdout: string; stderr: string; code: number }
}

export function fakeCliContext(changes: Partial<CliContext> = {}): FakeCliContext {
  const output = { stdout: '', stderr: '', code: 0 }
  return {
    output,
    print: (text) => void (output.stdout += text),
    printLines: (lines) => void (output.stdout += lines.map(({ text }) => `${text}\n`).join('')),
    printStatus: (text) => void (output.stderr += text),
    rewrite: () => undefined,
    rewrites: false,
    screen: plainScreen,
    env: {},
    config: undefined,
    errorsAsJson: false,
    uris: [],
    stop: new AbortController().signal,
    exitWith: (code) => void (output.code = worseExit(code, output.code)),
    ...changes,
  }
}

/** Runs one command line as `main.ts` does. */
export async function runCommandLine(args: readonly string[], changes: Partial<CliContext> = {}) {
  const cli = fakeCliContext({ errorsAsJson: asksForJson(args), ...changes })
  const program = createProgram(cli)
  for (const command of [program, ...program.commands]) fixWidth(command)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    cli.exitWith(await showError(error, cli))
  }
  return cli.output
}

/** Runs a command line that is refused: it prints nothing but an error, which is returned. */
export async function runRefused(args: readonly string[], changes: Partial<CliContext> = {}, exitCode = 2) {
  const { stdout, stderr, code } = await runCommandLine(args, changes)
  expect([stdout, code]).toEqual(['', exitCode])
  return stderr
}

/** Help is as wide as the terminal; a test runs in any. */
function fixWidth(command: Command): void {
  command.configureOutput({ getOutHelpWidth: () => 100, getErrHelpWidth: () => 100 })
}
