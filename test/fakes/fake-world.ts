import { type Command } from 'commander'
import { createProgram } from '../../src/cli/program.ts'
import { showError } from '../../src/cli/show-error.ts'
import { type World } from '../../src/cli/world.ts'
import { worseExit } from '../../src/errors.ts'

export type FakeWorld = World & {
  /** What has been printed and told so far. */
  readonly heard: { stdout: string; stderr: string; code: number }
}

export function fakeWorld(changes: Partial<World> = {}): FakeWorld {
  const heard = { stdout: '', stderr: '', code: 0 }
  return {
    heard,
    print: (text) => void (heard.stdout += text),
    tell: (text) => void (heard.stderr += text),
    rewrite: () => undefined,
    env: {},
    uris: [],
    stop: new AbortController().signal,
    exitWith: (code) => void (heard.code = worseExit(code, heard.code)),
    ...changes,
  }
}

/** Runs one command line as `main.ts` does. */
export async function runCommandLine(args: readonly string[], changes: Partial<World> = {}) {
  const world = fakeWorld(changes)
  const program = createProgram(world)
  for (const command of [program, ...program.commands]) fixWidth(command)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    world.exitWith(await showError(error, world))
  }
  return world.heard
}

/** Help is as wide as the terminal; a test runs in any. */
function fixWidth(command: Command): void {
  command.configureOutput({ getOutHelpWidth: () => 100, getErrHelpWidth: () => 100 })
}
