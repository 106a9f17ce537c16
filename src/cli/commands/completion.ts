import { readFileSync } from 'node:fs'
import { Argument, Command } from 'commander'
import { shippedPath } from '../../core/package-root.ts'
import { type CliContext } from '../cli-context.ts'

/** The command `completion`. Its scripts are written with the reference, from the commands themselves. */
export function completionCommand(cli: CliContext): Command {
  return new Command('completion')
    .description('Print a script with which a shell completes commands, options, specs and columns')
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: string) => cli.print(readFileSync(shippedPath('completion', `mongo-perf.${shell}`), 'utf8')))
}
