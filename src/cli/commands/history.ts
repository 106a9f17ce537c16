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
    .argument('[spec]', 'the name of a spec; default: all that have a history')
    .addOption(baselinesOption())
    .option('--baseline <name>', 'only the history beside this baseline')
    .option('--measure <address>', 'only this measure, such as "findOne.p99Ms" (repeatable)', collect)
    .option('--out <folder>', 'write the text, and a chart of each metric, to this folder')
    .addOption(formatOption())
    .action(async (spec: string | undefined, flags: HistoryRequest) => {
      const { showHistory } = await import('../actions/history.ts')
      await showHistory(spec, flags, cli)
    })
}
