import { Command, Option } from 'commander'
import { dirname } from 'node:path'
import { type World } from '../world.ts'

export function reportCommand(world: World): Command {
  return new Command('report')
    .description('Make markdown, CSV and charts again from results')
    .argument('<results...>', 'result.json files')
    .option('--out <folder>', 'where to write. Default: beside each result')
    .addOption(new Option('--format <format>', 'what is printed').choices(['md', 'json', 'csv']).default('md'))
    .action(async (files: readonly string[], { out, format }: { readonly out?: string; readonly format: 'md' | 'json' | 'csv' }) => {
      const [{ readResult }, { writeReport }] = await Promise.all([import('../../results/results-file.ts'), import('../write-report.ts')])
      for (const file of files) await writeReport(await readResult(file), out ?? dirname(file), format, world)
    })
}
