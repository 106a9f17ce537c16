import { Command, InvalidArgumentError } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { wholeNumber } from '../options/arguments.ts'
import { resultsFolder } from '../options/config-file.ts'
import { addOptions, type Flags, option } from '../options/option.ts'
import { formatOption } from '../options/output-options.ts'

const options = [
  option('--filter <text>', 'only those with this text in their name'),
  option('--quick', 'a first look, about 5 s for each, shorter than the specification demands'),
  option('--min-seconds <seconds>', 'repeat each for at least this long (specification: 60)', seconds),
  option('--max-seconds <seconds>', 'begin no iteration after this long (specification: 300)', seconds),
  option('--iterations <n>', 'and for at least this many iterations (specification: 100)', wholeNumber()),
  option('--data <folder>', 'folder with the data files of the specification (default: generated data)'),
  option('--out <folder>', 'where the result goes, in a folder "micro"; an earlier one is kept in "previous" there', {
    default: resultsFolder,
  }),
  option('--uri <uri>', 'measure with this server, in a database mongoperf_micro'),
  option('--allow-remote', 'allow a server on another machine'),
  option('--mongod <path>', 'the mongod to start'),
  formatOption,
]

export type MicroFlags = Flags<typeof options>

function seconds(text: string): number {
  const number = Number(text)
  if (!Number.isFinite(number) || number < 0 || text.trim() === '')
    throw new InvalidArgumentError('It must be a number of seconds.')
  return number
}

export function microCommand(cli: CliContext): Command {
  const command = new Command('micro')
    .description('Run the microbenchmarks of the driver benchmark specification, and of generators and expressions')
    .argument('[names...]', 'which ones (`mongo-perf list micro`); default: all')
  return addOptions(command, options).action(async (names: readonly string[], flags: MicroFlags) => {
    const { measureMicro } = await import('../actions/micro.ts')
    await measureMicro(names, flags, cli)
  })
}
