import { worseExit } from '../core/errors.ts'
import { printable } from '../core/printable.ts'
import { descriptorLimit } from '../servers/targets/server/descriptor-limit.ts'
import { type CliContext } from './cli-context.ts'
import { urisIn } from './options/uris.ts'
import { requireDescriptors } from './require-descriptors.ts'
import { showError } from './terminal/show-error.ts'
import { type StatusWriter } from './terminal/status-writer.ts'

/** The process of the command line: where it writes, its environment and its signals. */
export type CliIo = Pick<CliContext, 'env' | 'stop'> & {
  /** Writes to the standard output. */
  readonly write: (text: string) => void
  readonly status: StatusWriter
}

/**
 * Runs the command line and returns its exit code.
 * @param argv The arguments behind the name of the program.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  let exitCode = 0
  const cli: CliContext = {
    ...io.status,
    print: (text) => io.write(printable(text)),
    env: io.env,
    uris: urisIn(argv, io.env),
    // Read only by a command that can be stopped.
    get stop() {
      return io.stop
    },
    exitWith: (code) => void (exitCode = worseExit(code, exitCode)),
  }
  try {
    requireDescriptors(await descriptorLimit())
    const { createProgram } = await import('./program.ts')
    await createProgram(cli).parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return await showError(error, cli)
  }
}
