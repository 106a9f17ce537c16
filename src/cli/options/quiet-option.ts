import { type Command, Option } from 'commander'
import { type CliContext } from '../cli-context.ts'

/** The option `--quiet`. */
export const quietOption = (): Option =>
  new Option('-q, --quiet', 'print only warnings and errors, and the report only if --format is given')

/** The context of a command with `--quiet`: it prints no report that was not asked for by `--format`. */
export function quietly(cli: CliContext, command: Command): CliContext {
  const isAskedFor = command.getOptionValueSource('format') !== 'default'
  if (command.getOptionValue('quiet') !== true || isAskedFor) return cli
  // A copy would read the signal, from where on a Ctrl-C no longer ends the process at once.
  return Object.create(cli, { print: { value: () => undefined } }) as CliContext
}
