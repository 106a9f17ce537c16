import { Command } from 'commander'
import { type CliContext } from '../cli-context.ts'
import { aboveZero } from '../options/arguments.ts'
import { resultsFolder } from '../options/config-file.ts'
import { addOptions, collect, type Flags, option } from '../options/option.ts'
import { quietOption } from '../options/output-options.ts'
import { permissions, serverOptions, type SpecFlags, workOptions } from '../options/spec-options.ts'
import { type RunFlags } from './run.ts'

const options = [
  option('--by <what>', 'find the highest rate or the smallest cache', { choices: ['rate', 'cache'], default: 'rate' }),
  option('--p99 <ms>', 'the limit on the 99th percentile of response times; no operation may fail', aboveZero),
  option('--holds <limit>', 'another limit, such as "findOne.responseP95Ms < 5" (repeatable)', collect),
  option('--from <n>', 'operations per second (default: 100) or MB of cache (1024) of the first step', aboveZero),
  option('--to <n>', 'highest rate to try (default: 50000), or smallest cache in MB (64)', aboveZero),
  option('--seconds <n>', 'minimum length of a step (default: 5)', aboveZero),
  option('--out <folder>', 'where the result goes, in a folder "<spec>-size"', { default: resultsFolder }),
  ...workOptions,
  ...permissions,
  ...serverOptions,
  quietOption,
]

type SizeFlags = Flags<typeof options> & Pick<SpecFlags, 'usualEngine'>

export function sizeCommand(cli: CliContext): Command {
  const command = new Command('size')
    .description('Find the highest rate or the smallest cache with which limits hold, such as a p99 of 10 ms')
    .argument('[spec]', 'path or name of a spec that measures one phase', 'quickstart')
  return addOptions(command, options).action(async (spec: string, flags: SizeFlags) => {
    const { runSpecs } = await import('../actions/run.ts')
    await runSpecs([spec], toRunFlags(flags), cli)
  })
}

/** Has a spec run with a search in the place of its load, and what was found printed instead of the report. */
function toRunFlags({ by, p99, holds = [], from, to, seconds, ...others }: SizeFlags): RunFlags {
  const limits = [...(p99 === undefined ? [] : [`responseP99Ms < ${p99}`, 'errors == 0']), ...holds]
  const kind = by === 'cache' ? 'findCache' : 'findRate'
  const search = { kind, holds: limits.length === 0 ? undefined : limits, from, to, secondsPerStep: seconds } as const
  return { ...others, search, format: 'rate', baselines: '.', logLevel: 'warn' }
}
