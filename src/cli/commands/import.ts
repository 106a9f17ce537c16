import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'

/** The command `import`: each kind of workload is a command below it. */
export function importCommand(cli: CliContext): Command {
  return new Command('import')
    .description('Write specs from workloads of other tools')
    .addCommand(importYcsbCommand(cli))
}

const options = [
  option('-p, --property <name=value>', 'set a property (repeatable)', collect),
  option('-P, --properties <file>', 'read a further property file, which replaces properties (repeatable)', collect),
  option('--ignore <name>', 'ignore a property, such as one that only another program reads (repeatable)', collect),
  option('--throttled', 'hold the threads back to "target", as YCSB does, instead of an open loop at that rate'),
  option('--existing', 'use the collection that YCSB has loaded, of the database in mongodb.url (default: ycsb)'),
  option('--out <file>', 'write the spec to this file instead of printing it'),
  option('--force', 'overwrite a file that exists'),
]

export type ImportYcsbFlags = Flags<typeof options>

function importYcsbCommand(cli: CliContext): Command {
  const command = new Command('ycsb')
    .description('Make a spec of a workload of YCSB, and print or write it')
    .argument('<workload>', 'path of its property file, or "workloada" to "workloadf"')
  return addOptions(command, options).action(async (workload: string, flags: ImportYcsbFlags) => {
    const { importYcsb } = await import('../actions/import-ycsb.ts')
    await importYcsb(workload, flags, cli)
  })
}
