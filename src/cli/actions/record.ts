import { readFile } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { systemClock } from '../../core/clock.ts'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { formatQuantity } from '../../core/quantities.ts'
import { recordPcap } from '../../traffic/record/record-pcap.ts'
import { recordProxy } from '../../traffic/record/record-proxy.ts'
import { recordLog, recordProfile } from '../../traffic/record/record-slow.ts'
import { type RecordingSummary } from '../../traffic/record/start-recorder.ts'
import { leftOutText } from '../../traffic/recording/left-out-text.ts'
import { type ValuesMode } from '../../traffic/recording/values-modes.ts'
import { type CliContext } from '../cli-context.ts'
import { type RecordFlags } from '../commands/record.ts'

/** Records until a signal or its time ends it, and prints what is in the file. */
export async function recordTraffic(flags: RecordFlags, cli: CliContext): Promise<void> {
  let isBegun = false
  // What the file gets is said with the first line: nothing is said of one that is never begun.
  const log = (line: string): void => {
    if (!isBegun) cli.printStatus(`${flags.out} gets ${kept[flags.values]}\n`)
    isBegun = true
    cli.printStatus(`${line}\n`)
  }
  log(summaryText(flags, await record(flags, log, cli)))
}

const kept: Readonly<Record<ValuesMode, string>> = {
  keep: 'all values (--values keep): whoever may read it sees the data of the application',
  hash: 'hashes for values (--values hash): equality and order of magnitude show, and names of fields and collections',
  shape: 'no values (--values shape): types and lengths show, and names of fields and collections',
}

async function record(flags: RecordFlags, log: (line: string) => void, cli: CliContext): Promise<RecordingSummary> {
  const { out: file, values, listen, fromProfile, fromLog, fromPcap } = flags
  if (fromProfile !== undefined) return await recordProfile(chooseUri(flags, cli), fromProfile, { file, values })
  if (fromLog !== undefined) return await recordLog(fromLog, { file, values })
  if (fromPcap !== undefined) return await recordPcap(fromPcap, { file, values, port: flags.port })
  const tls = flags.tlsCertificate === undefined ? undefined : await readCertificate(flags.tlsCertificate)
  const maxMs = flags.for === undefined ? Infinity : flags.for * 1000
  return await recordProxy({
    file,
    uri: chooseUri(flags, cli),
    listen,
    tls,
    values,
    maxMs,
    signal: cli.stop,
    clock: systemClock,
    log,
  })
}

function chooseUri({ to }: RecordFlags, { env }: CliContext): string {
  const uri = to ?? env['MONGO_PERF_URI']
  if (uri !== undefined) return uri
  throw new Problem('usage', 'No server is given', { hint: 'Add --to, or set MONGO_PERF_URI.' })
}

async function readCertificate(file: string): Promise<SecureContextOptions> {
  try {
    const pem = await readFile(file)
    const tls = { cert: pem, key: pem }
    // Read here too, where it is known which file is wrong.
    createSecureContext(tls)
    return tls
  } catch (error) {
    throw new Problem('usage', `The certificate ${file} cannot be read (${describeErrorCode(error)})`, {
      hint: 'Name a PEM file with a certificate and its key.',
      cause: error,
    })
  }
}

function summaryText(
  flags: RecordFlags,
  { calls, connections, durationMs, bytes, leftOut, found }: RecordingSummary,
): string {
  const file = flags.out
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
  const lines = [
    `${file}: ${formatQuantity(calls, 'call')} of ${formatQuantity(connections, 'connection')} in ${(durationMs / 1000).toFixed(1)} s, ${size}`,
  ]
  const next = calls === 0 ? whyEmpty(flags, found) : `mongo-perf inspect ${file} shows what is in it`
  return [...lines, ...leftOutText(leftOut), next].join('\n')
}

/** A warning about a recording without calls, and where to look. */
function whyEmpty({ fromProfile, fromLog, fromPcap, listen }: RecordFlags, found = ''): string {
  if (fromPcap !== undefined) return `warning: no call to replay: ${fromPcap} has ${found}`
  if (fromProfile !== undefined || fromLog !== undefined)
    return 'warning: no call to replay: let the application work meanwhile'
  return `warning: no call to replay: does the application connect to ${listen.host}:${listen.port}?`
}
