import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { importMongoPerfCommand } from './import/mongo-perf.ts'
import { importYcsbCommand } from './import/ycsb.ts'

/** The command `import`: each kind of workload is a command below it. */
export function importCommand(cli: CliContext): Command {
  return new Command('import')
    .description('Write specs from workloads of other tools')
    .addCommand(importYcsbCommand(cli))
    .addCommand(importMongoPerfCommand(cli))
}
