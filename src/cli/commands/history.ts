import { Command } from 'commander'
import { type HistoryRequest } from '../actions/history.ts'
import { type CliContext } from '../cli-context.ts'
import { baselinesOption } from '../options/comparison-options.ts'
import { formatOption } from '../options/output-options.ts'
import { collect } from '../options/spec-options.ts'

/** The command `history`. */
export function historyCommand(cli: CliContext): Command {
  return new Command('history')
    .description('Show how the results of specs changed over time, and where')
    .argument(
      '[specs...]',
      'names of specs (default: all); with mongodb://host/database.collection, or the variable that holds this URI, of what `run --save` put there',
    )
    .addOption(baselinesOption())
    .option('--baseline <name>', 'only the history beside this baseline')
    .option('--measure <address>', 'only this measure, such as "findOne.p99Ms" (repeatable)', collect)
    .option('--out <folder>', 'write the text, and a chart of each metric, to this folder')
    .addOption(formatOption())
    .action(async (given: readonly string[], flags: HistoryRequest) => {
      const { showHistory } = await import('../actions/history.ts')
      await showHistory(given, flags, cli)
    })
}
