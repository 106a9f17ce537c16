import { Command, Option } from 'commander'
import { Problem } from '../../core/errors.ts'
import { type Layout } from '../../report/document/layout.ts'
import { type ListenAddress } from '../../run/live/listen.ts'
import { type CliContext } from '../cli-context.ts'
import { listenAddress, portNumber, wholeNumber } from '../options/arguments.ts'
import { type BaselineFlags, baselinesOption, strictOption } from '../options/comparison-options.ts'
import { resultsFolder } from '../options/config-file.ts'
import {
  layoutOption,
  quietly,
  quietOption,
  referenceOption,
  type ReportFormat,
  reportFormatOption,
} from '../options/output-options.ts'
import { agentsOption, minAgentsOption } from '../options/queue-option.ts'
import {
  freshServersOption,
  type ServerFlags,
  type SpecFlags,
  withServerOptions,
  withSpecOptions,
} from '../options/spec-options.ts'

/** The options of the command, as parsed. */
export type RunFlags = SpecFlags &
  ServerFlags &
  BaselineFlags & {
    readonly out: string
    readonly repeat?: number
    readonly agents?: string
    readonly minAgents?: number
    readonly driver?: string
    readonly resume?: boolean
    readonly compact?: boolean
    readonly into?: string
    readonly layout?: Layout
    readonly live?: boolean
    readonly livePort?: number
    readonly metrics?: ListenAddress
    readonly metricsFile?: string
    readonly otlp?: URL
    readonly stream?: string
    readonly showCommands?: boolean
    readonly format?: ReportFormat
    readonly reference?: boolean
    readonly quiet?: boolean
    readonly logLevel: string
    readonly logJson?: boolean
  }

/** The command `run`. */
export function runCommand(cli: CliContext): Command {
  const command = new Command('run')
    .description('Run specs and print their reports')
    .argument('<specs...>', 'paths of specs, names of shipped ones (`mongo-perf list`), or folders of either')
    .option(
      '--out <folder>',
      'where results go, each in a folder of its spec; an earlier one is kept in "previous" there',
      resultsFolder,
    )
  withSpecOptions(command)
    .option('--repeat <n>', 'run every row n times, interleaved; cells show the runs together', wholeNumber())
    .addOption(freshServersOption())
  return withServerOptions(command)
    .addOption(agentsOption())
    .addOption(minAgentsOption())
    .option('--driver <package>', 'measure with this driver: the folder or the name of an installed package')
    .option('--resume', 'keep the finished rows of the existing result, and run the others')
    .option('--compact', 'keep small results: no time lines and single timings, coarse histograms')
    .option('--into <file>', 'put the report of every spec that is done into this Markdown document')
    .addOption(layoutOption())
    .option('--baseline <name>', 'compare with this baseline; exit code 5 where the result is worse')
    .option('--save-baseline <name>', 'save the result as this baseline, and add it to its history')
    .option('--save-history <name>', 'add the result to the history beside this baseline')
    .option(
      '--save <uri>',
      'add the result to a collection: mongodb://host/database.collection, or the variable that holds this URI',
    )
    .addOption(baselinesOption())
    .addOption(strictOption('run'))
    .option('--live', 'show the run in a browser of this machine while it goes on; the address is printed')
    .option('--live-port <port>', 'the same at this port of 127.0.0.1 (default: any free one)', portNumber)
    .option(
      '--metrics <[host:]port>',
      'serve /metrics in the format of Prometheus while it goes on; the host is 127.0.0.1 unless given',
      listenAddress,
    )
    .option(
      '--metrics-file <file>',
      'write the same to this file every 5 s, for the textfile collector of node_exporter',
    )
    .option(
      '--otlp <url>',
      'send the same to this collector of OpenTelemetry every 5 s, such as http://127.0.0.1:4318; headers: OTEL_EXPORTER_OTLP_HEADERS',
      collectorUrl,
    )
    .option(
      '--stream <file>',
      'write events to this file while it goes on, as NDJSON: one a second, and one for each row, phase and fault; replaces the file, with --resume adds to it',
    )
    .option('--show-commands', 'print every command that started and configured a server')
    .addOption(reportFormatOption())
    .addOption(referenceOption())
    .addOption(quietOption())
    .addOption(
      new Option('--log-level <level>', 'what is logged')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
        .default('warn'),
    )
    .option('--log-json', 'log JSON lines')
    .action(async (specs: readonly string[], flags: RunFlags, program: Command) => {
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
