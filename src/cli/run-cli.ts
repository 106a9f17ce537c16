import { worseExit, Problem } from '../core/errors.ts'
import { printable } from '../core/printable.ts'
import { type TextLine } from '../report/formats/text-blocks.ts'
import { workingFolder } from '../servers/machine.ts'
import { descriptorLimit } from '../servers/targets/server/preflight.ts'
import { type CliContext, type Screen } from './cli-context.ts'
import { applyConfig, type Config, readConfig } from './options/config-file.ts'
import { urisIn } from './options/uris.ts'
import { asksForJson, showError } from './terminal/show-error.ts'
import { breakLines, type StatusWriter } from './terminal/status-writer.ts'

/** The process of the command line: where it writes, its environment and its signals. */
export type CliIo = Pick<CliContext, 'env' | 'stop' | 'screen'> & {
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
  let config: Config | undefined
  const cli: CliContext = {
    ...io.status,
    print: (text) => io.write(printable(text)),
    printLines: (lines) =>
      io.write(lines.map((line) => `${io.screen.show({ ...line, text: fit(line, io.screen) })}\n`).join('')),
    screen: io.screen,
    get env() {
      return withUri(io.env, config)
    },
    get config() {
      return config
    },
    get errorsAsJson() {
      return asksForJson(argv, config?.values.format)
    },
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
    await createProgram(cli)
      .hook('preAction', async (_, command) => {
        config = await readConfig(workingFolder())
        if (config !== undefined) applyConfig(command, config)
      })
      .parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return await showError(error, cli)
  }
}

const fit = ({ text, style }: TextLine, { isTerminal, columns }: Screen): string =>
  isTerminal && style !== 'code' ? breakLines(printable(text), columns) : printable(text)

/** The environment, with the URI that the defaults of the project name. */
function withUri(env: CliContext['env'], config: Config | undefined): CliContext['env'] {
  const { uriFrom } = config?.values ?? {}
  return uriFrom === undefined ? env : { ...env, MONGO_PERF_URI: env['MONGO_PERF_URI'] ?? env[uriFrom] }
}

/** Node loads modules in parallel, and crashes or hangs with fewer. */
const minDescriptors = 256

/** Refuses to load the program with too low a limit of open files. @param have The limit. Undefined where the platform does not report it. */
function requireDescriptors(have: number | undefined): void {
  if (have === undefined || have >= minDescriptors) return
  const message = `mongo-perf needs ${minDescriptors} open files, and this shell allows ${have}`
  throw new Problem('not-measurable-here', message, { hint: 'Raise the limit first: ulimit -n 16384' })
}
