import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { baselinesOption } from '../options/comparison-options.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'
import { formatOption } from '../options/output-options.ts'

const options = [
  baselinesOption,
  option('--baseline <name>', 'only the history beside this baseline'),
  option('--measure <address>', 'only this measure, such as "findOne.p99Ms" (repeatable)', collect),
  option('--out <folder>', 'write the text, and a chart of each metric, to this folder'),
  formatOption,
]

export type HistoryFlags = Flags<typeof options>

export function historyCommand(cli: CliContext): Command {
  const command = new Command('history')
    .description('Show how the results of specs changed over time, and where')
    .argument(
      '[specs...]',
      'names of specs (default: all), and where `run --save` put results: mongodb://host/database.collection, or the variable that holds this URI',
    )
  return addOptions(command, options).action(async (given: readonly string[], flags: HistoryFlags) => {
    const { showHistory } = await import('../actions/history.ts')
    await showHistory(given, flags, cli)
  })
}
