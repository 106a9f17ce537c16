import { type Command } from 'commander'
import { type CliContext } from './cli-context.ts'

/** Errors of a command are thrown and shown by `showError` like all others: commander may quote a URI in them. */
export function throwErrors(command: Command, cli: CliContext): Command {
  command.exitOverride().configureOutput({ writeOut: cli.print, writeErr: cli.printStatus, outputError: () => {} })
  for (const sub of command.commands) throwErrors(sub, cli)
  return command
}
