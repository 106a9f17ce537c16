import { Command } from 'commander'
import { Problem } from '../../core/errors.ts'
import { type CliContext } from '../cli-context.ts'
import { listenAddress, portNumber, wholeNumber } from '../options/arguments.ts'
import { keepOptions } from '../options/comparison-options.ts'
import { resultsFolder } from '../options/config-file.ts'
import { addOptions, type Flags, option } from '../options/option.ts'
import { layoutOption, quietly, quietOption, referenceOption, reportFormatOption } from '../options/output-options.ts'
import { agentsOptions } from '../options/queue-option.ts'
import { freshServersOption, serverOptions, type SpecFlags, specOptions } from '../options/spec-options.ts'

const options = [
  option(
    '--out <folder>',
    'where results go, each in a folder of its spec; an earlier one is kept in "previous" there',
    { default: resultsFolder },
  ),
  ...specOptions,
  option('--repeat <n>', 'run every row n times, interleaved; cells show the runs together', wholeNumber()),
  freshServersOption,
  ...serverOptions,
  ...agentsOptions,
  option('--driver <package>', 'measure with this driver: the folder or the name of an installed package'),
  option('--resume', 'keep the finished rows of the existing result, and run the others'),
  option('--compact', 'write small results: no time lines or single timings, coarse histograms'),
  option('--into <file>', 'put the report of every spec that is done into this Markdown document'),
  layoutOption,
  ...keepOptions,
  option('--live', 'show the run in a browser of this machine while it goes on; the address is printed'),
  option('--live-port <port>', 'the same at this port of 127.0.0.1 (default: any free one)', portNumber),
  option(
    '--metrics <[host:]port>',
    'serve /metrics for Prometheus during the run; the default host is 127.0.0.1',
    listenAddress,
  ),
  option('--metrics-file <file>', 'write the same to this file every 5 s, for the textfile collector of node_exporter'),
  option(
    '--otlp <url>',
    'send the same to this collector of OpenTelemetry every 5 s, such as http://127.0.0.1:4318; headers: OTEL_EXPORTER_OTLP_HEADERS',
    collectorUrl,
  ),
  option(
    '--stream <file>',
    'write events to this file while it goes on, as NDJSON: one a second, and one for each row, phase and fault; replaces the file, with --resume adds to it',
  ),
  option('--show-commands', 'print every command that started and configured a server'),
  reportFormatOption,
  referenceOption,
  quietOption,
  option('--log-level <level>', 'what is logged', {
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'warn',
  }),
  option('--log-json', 'log JSON lines'),
]

export type RunFlags = Flags<typeof options> & SpecFlags

export function runCommand(cli: CliContext): Command {
  const command = new Command('run')
    .description('Run specs and print their reports')
    .argument('<specs...>', 'paths of specs, names of shipped ones (`mongo-perf list`), or folders of either')
  return addOptions(command, options).action(async (specs: readonly string[], flags: RunFlags, program: Command) => {
    const { runSpecs } = await import('../actions/run.ts')
    await runSpecs(specs, flags, quietly(cli, program))
  })
}

function collectorUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '') return url
  // The argument is not repeated: it may have a password.
  throw new Problem('usage', '--otlp takes a URL without user and password, such as http://127.0.0.1:4318', {
    hint: 'A password can be in a header: OTEL_EXPORTER_OTLP_HEADERS=authorization=Basic%20…',
  })
}
