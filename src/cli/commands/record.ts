import { Command, InvalidArgumentError } from 'commander'
import { type ListenAddress } from '../../run/live/listen.ts'
import { valuesModes } from '../../traffic/recording/values-modes.ts'
import { type CliContext } from '../cli-context.ts'
import { duration, listenAddress, wholeNumber } from '../options/arguments.ts'
import { addOptions, type Flags, option } from '../options/option.ts'

const defaultAddress = '127.0.0.1:27018'

/** Options of the proxy alone. */
const ofProxy = ['listen', 'tlsCertificate', 'for']

const options = [
  option(
    '--listen <address>',
    'listen here for the application, and pass on what it sends; members of a set have the ports behind it',
    { parse: reachableAddress, default: reachableAddress(defaultAddress), defaultText: defaultAddress },
  ),
  option('--to <uri>', 'the server that the application uses (default: MONGO_PERF_URI)'),
  option('--tls-certificate <file>', 'with --listen: certificate and key (PEM) that the application sees'),
  option('--from-profile <db>', 'record what the profile (system.profile) of this database has', {
    conflicts: ['fromLog', 'fromPcap', ...ofProxy],
  }),
  option('--from-log <file>', 'record the slow operations in this log of a mongod', {
    conflicts: ['fromPcap', 'to', ...ofProxy],
  }),
  option('--from-pcap <file>', 'record the connections in this capture (pcap, without TLS)', {
    conflicts: ['to', ...ofProxy],
  }),
  option('--port <n>', 'with --from-pcap: the port of the server', {
    parse: wholeNumber(65_535),
    default: 27017,
    conflicts: ['to', 'fromProfile', 'fromLog', ...ofProxy],
  }),
  option('-o, --out <file>', 'the recording', { default: 'traffic.mprec' }),
  option(
    '--values <mode>',
    'what is kept of values: all; their equality and order of magnitude; their types and lengths',
    { choices: valuesModes, default: 'keep' },
  ),
  option('--for <time>', 'end after this time, such as 60s or 10m. Default: Ctrl-C ends it', duration),
]

export type RecordFlags = Flags<typeof options>

export function recordCommand(cli: CliContext): Command {
  const command = new Command('record').description(
    'Record the traffic of an application, to look at with `inspect` and to send again with `replay`',
  )
  return addOptions(command, options).action(async (flags: RecordFlags) => {
    const { recordTraffic } = await import('../actions/record.ts')
    await recordTraffic(flags, cli)
  })
}

/** Parses the address of the listeners. Clients get it in replies, so it has to be one that they can reach. */
function reachableAddress(text: string): ListenAddress {
  const address = listenAddress(text)
  if (!['0.0.0.0', '::'].includes(address.host)) return address
  throw new InvalidArgumentError(
    'It must be an address that clients can reach, such as 192.0.2.7:27018: they get it in replies.',
  )
}
