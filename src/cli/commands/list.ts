import { Argument, Command } from 'commander'
import { type CliContext, printJson } from '../cli-context.ts'
import { listFormatOption } from '../options/output-options.ts'

const lists = [
  'specs',
  'columns',
  'operations',
  'faults',
  'checks',
  'generators',
  'functions',
  'targets',
  'micro',
  'binaries',
] as const

export function listCommand(cli: CliContext): Command {
  return new Command('list')
    .description(
      'List specs (the default), columns, operations, faults, checks, generators, functions, targets, micro, binaries (of servers)',
    )
    .addArgument(new Argument('[what]', 'which list').choices(lists).default('specs'))
    .addOption(listFormatOption)
    .action(async (what: (typeof lists)[number], { format }: { readonly format?: 'text' | 'json' }) => {
      const { listed } = await import('../actions/list.ts')
      const rows = await listed[what](cli)
      if (format === 'json')
        return printJson(
          rows.map(([name, text]) => ({ name, text })),
          cli,
        )
      const width = Math.max(...rows.map(([name]) => name.length))
      cli.printLines(rows.map(([name, text]) => ({ text: `${name.padEnd(width)}  ${text}`, style: 'plain' })))
    })
}
