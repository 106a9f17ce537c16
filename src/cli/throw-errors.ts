import { type Command } from 'commander'
import { type CliContext } from './cli-context.ts'

/**
 * Has a command throw its errors, which `showError` shows like all others: commander may quote a URI in them. Not in the file of the
 * program: what imports that statically makes the bundler add a chunk to what help loads.
 */
export function throwErrors(command: Command, cli: CliContext): Command {
  command.exitOverride().configureOutput({ writeOut: cli.print, writeErr: cli.printStatus, outputError: () => {} })
  for (const sub of command.commands) throwErrors(sub, cli)
  return command
}
