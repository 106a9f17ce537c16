import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import type { PhaseResult, Result, VariantResult } from '../../results/schema.ts'
import type { TransactionResult } from '../../results/schema/calls.ts'
import type { Environment } from '../../results/schema/environment.ts'
import type { ServerInfo } from '../../results/schema/servers.ts'
import { coreListText } from '../../servers/machine.ts'
import type { Fact } from '../tables/table.ts'
import { limitsText } from './limits-text.ts'

/** The environment of the measurement: all distinct values of the rows, without unknown ones. */
export function collectEnvironmentFacts(result: Result): readonly Fact[] {
  const { environment, tool } = result
  const variants = inOrder(result)
  const { host, driver } = environment
  const phases = variants.flatMap((variant) => variant.phases)
  return [
    ...serverFacts(variants),
    ...ofClusters(variants),
    fact('Client host', [hostText(host)]),
    // Servers started by mongo-perf have their data there.
    fact('Client disks', variants.some(({ server }) => server?.startedByUs === true) ? host.disks.map(diskText) : []),
    fact('Client', [`${tool.name} ${tool.version}, Node.js ${environment.node.replace(/^v/, '')}`]),
    fact('Driver', [`${driver.name} ${driver.version}`]),
    fact('Driver options', usesDriver(phases) ? driverOptions(driver.options, phases) : []),
    ...Object.entries(ofPhase).map(([name, valueOf]) => fact(name, phases.flatMap(valueOf))),
  ].filter(({ name, value }) => value !== '' && value !== usualValues.get(name))
}

/** Repeats run the rows in different orders. */
const inOrder = ({ variants }: Result): readonly VariantResult[] => variants.toSorted((a, b) => a.row - b.row)

/** Where all phases have another engine, no operation went through the driver. */
const usesDriver = (phases: readonly PhaseResult[]): boolean =>
  phases.length === 0 || phases.some(({ engine }) => engine === 'driver')

/** Driver options, without those on retries if phases leave retries to the driver. */
function driverOptions(options: Environment['driver']['options'], phases: readonly PhaseResult[]): readonly string[] {
  const isLeftToDriver = phases.length > 0 && phases.every(({ retries }) => retries === 'driver')
  const valid = Object.entries(options).filter(([name]) => !isLeftToDriver || !/retr/i.test(name))
  return valid.length === 0 ? [] : [plain(Object.fromEntries(valid))]
}

/** Facts that servers report, and those that the spec states about them. */
export const serverFacts = (variants: readonly VariantResult[]): readonly Fact[] =>
  [
    ...Object.entries(ofServer).map(([name, valueOf]) =>
      fact(
        name,
        variants.flatMap((variant) => (variant.server === null ? [] : valueOf(variant.server, variant))),
      ),
    ),
    ...ofTarget(variants),
  ].filter(({ value }) => value !== '')

/** A server in a line: "MongoDB 7.0.14". The version of another maker's server begins with its name. */
export const serverText = (version: string): string => (/^\d/.test(version) ? `MongoDB ${version}` : version)

/** Shards and their members, routers, config servers, keys and balancer of sharded clusters. */
function ofClusters(variants: readonly VariantResult[]): readonly Fact[] {
  const clusters = variants.flatMap(({ server }) => server?.cluster ?? [])
  const sharding = variants.flatMap((variant) => variant.sharding ?? [])
  const facts: Readonly<Record<string, readonly Value[]>> = {
    'Members of shards': clusters.flatMap(({ shards }) => shards.map(({ members }) => members)),
    Routers: clusters.map(({ routers }) => routers),
    'Config servers': clusters.map(({ configServers }) => configServers),
    'Shard keys': sharding.flatMap(({ collections }) =>
      collections.map(({ collection, key }) => key && `${collection}: {${plain(key)}}`),
    ),
    Balancer: sharding.map(({ balancing }) => (balancing === null ? null : balancing ? 'on' : 'off')),
  }
  return Object.entries(facts).map(([name, values]) => fact(name, values))
}

/** Facts that a server reports, in the order in which they are shown. */
const ofServer: Readonly<Record<string, (server: ServerInfo, variant: VariantResult) => Value>> = {
  Server: ({ version, storageEngine }) => `${serverText(version)}${storageEngine === null ? '' : `, ${storageEngine}`}`,
  Topology: ({ topology }) => topology,
  'Server host': describeServerHost,
  Cores: (server) => (server.startedByUs ? pinnedText(server) : null),
  'Server limits': describeServerLimits,
  Cache: ({ cacheMB }) => (cacheMB === null ? null : megabytes(cacheMB)),
  'Server parameters': ({ setParameters }) => setParameters && plain(setParameters),
  'File system': ({ fileSystem }) => fileSystem,
  Compression: ({ compressors }) => compressors?.join(', '),
  'Started by': ({ startedByUs }) => (startedByUs ? 'mongo-perf, for this run' : 'others, before this run'),
}

/** How the client made the load of a phase, in the order in which it is shown. */
const ofPhase: Readonly<Record<string, (phase: PhaseResult) => string | readonly string[]>> = {
  Workers: workersText,
  'Open loop': openLoopText,
  'Connection pool': poolText,
  'Client engine': ({ engine }) => (engine === 'wire' ? 'wire, without compression' : engine),
  'Client threads': ({ threads }) => String(threads),
  // If both are listed, the driver options are those of phases without retries.
  Retries: ({ retries }) => (retries === 'driver' ? 'driver defaults' : retries),
  'Write concern': ({ writeConcern }) => plain(writeConcern),
  'Read concern': ({ readConcern }) => plain(readConcern),
  'Read preference': ({ readPreference }) => plain(readPreference),
  Transactions: ({ operations }) =>
    operations.flatMap(({ transaction }) => (transaction === null ? [] : transactionText(transaction))),
}

/** Facts of the spec, whose names are its own, stand before the client. */
const settingNames = [
  Object.keys(ofServer),
  'of the spec',
  ['Client host', 'Client disks', 'Client', 'Driver', 'Driver options'],
  Object.keys(ofPhase),
].flat()

/** The place of a setting among others, by its name. */
export const placeOfSetting = (name: string): number =>
  settingNames.indexOf(settingNames.includes(name) ? name : 'of the spec')

const notKept = 'the limits of the spec were not kept'

/** Shown only where others have other values. */
const usualValues: ReadonlyMap<string, string> = new Map([
  ['Server limits', 'none'],
  ['Cores', 'shared'],
  ['Client engine', 'driver'],
  ['Client threads', '1'],
  ['Retries', 'none'],
])

const pinnedText = ({ pinnedCores }: ServerInfo): string =>
  pinnedCores === null
    ? 'shared'
    : `client ${coreListText(pinnedCores.client)}; servers ${coreListText(pinnedCores.servers)}`

function describeServerLimits({ limits, directIO }: ServerInfo, { warnings }: VariantResult): string {
  const parts = [
    ...(warnings.some(({ code }) => code === 'limits-not-kept') ? [notKept] : []),
    ...(limits === null ? [] : [limitsText(limits)]),
    ...(directIO ? ['direct I/O'] : []),
  ]
  return parts.length === 0 ? 'none' : parts.join(', ')
}

function describeServerHost({ cores, memoryMB, os }: ServerInfo): string {
  const parts = [cores === null ? null : coresText(cores), memoryMB === null ? null : megabytes(memoryMB), os]
  return parts.filter((part) => part !== null).join(', ')
}

/** The facts that the spec states about its target, by their own names. */
function ofTarget(variants: readonly VariantResult[]): readonly Fact[] {
  const names = [...new Set(variants.flatMap(({ facts }) => Object.keys(facts)))]
  return names.map((name) =>
    fact(
      name,
      variants.flatMap(({ facts }) => (Object.hasOwn(facts, name) ? [plain(facts[name])] : [])),
    ),
  )
}

/** Transactions have concerns of their own, not those of the phase. */
function transactionText(settings: TransactionResult): string {
  const { runner, maxAttempts, readConcern, writeConcern, readPreference } = settings
  const attempts = maxAttempts === null ? [] : [`at most ${maxAttempts} attempts`]
  const concerns = [
    `read concern ${plain(readConcern)}`,
    `write concern ${plain(writeConcern)}`,
    `read preference ${plain(readPreference)}`,
  ]
  return [`runner ${runner}`, ...attempts, ...concerns].join(', ')
}

function workersText({ load, workers, maxRatePerSecond, pauses }: PhaseResult): string {
  if (load !== 'closed') return ''
  const heldBack = maxRatePerSecond === null ? [] : [`held back to ${groupDigits(maxRatePerSecond)} operations/s`]
  return [workers, ...heldBack, ...(pauses ? ['with pauses between their operations'] : [])].join(', ')
}

/** The plan of an open loop, because its tail latencies do not compare with those of a closed loop. The rate that was found is a result. */
function openLoopText({ openLoop, load, outcome }: PhaseResult): string {
  if (openLoop === null) return ''
  const { arrivals, ratePerSecond, maxInFlight } = openLoop
  const planned =
    load === 'findRate' && outcome !== null
      ? `the highest rate with ${outcome.holds.join(' and ')}`
      : `${groupDigits(Math.round(ratePerSecond))} operations/s on average`
  const how =
    typeof arrivals === 'string' ? `${arrivals} arrivals` : `arrivals in bursts of ${arrivals.burstsOf} on average`
  return `${how}, ${planned}, at most ${groupDigits(maxInFlight)} in flight`
}

function poolText({ pool }: PhaseResult): string {
  if (pool === null) return ''
  const { maxPoolSize, maxConnecting, waitQueueTimeoutMS } = pool
  const timeout = waitQueueTimeoutMS === 0 ? '' : `, a wait of at most ${waitQueueTimeoutMS} ms`
  return `at most ${maxPoolSize} connections to each server, opened ${maxConnecting} at a time${timeout}`
}

/** A value of a fact. Null or undefined: it is not known. */
type Value = string | number | null | undefined

const fact = (name: string, values: readonly Value[]): Fact => ({
  name,
  value: [...new Set(values.map((value) => String(value ?? '')))].filter((value) => value !== '').join('; '),
})

export const hostText = ({ cpu, cores, memoryMB, os }: Environment['host']): string =>
  `${cpu}, ${coresText(cores)}, ${megabytes(memoryMB)}, ${os}`

/** A disk as the kernel reports it. Virtual disks may be reported as rotational. */
export function diskText({ name, model, sizeMB, rotational }: Environment['host']['disks'][number]): string {
  const kind = rotational === null ? null : rotational ? 'rotational' : 'not rotational'
  const parts = [model, megabytes(sizeMB), kind].filter((part) => part !== null)
  return `${name}: ${parts.join(', ')}`
}

/** Options and concerns as text, without the punctuation of JSON. */
export function plain(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? pairs(value) : JSON.stringify(value)
}

function pairs(value: object): string {
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${typeof inner === 'string' ? inner : JSON.stringify(inner)}`)
    .join(', ')
}

/** "1 core", "8 cores". */
export const coresText = (cores: number): string => formatQuantity(cores, 'core')

/** The machine of a run in a line: "AMD EPYC, 2 cores"; only that of the client, if others started the servers. */
export function machineText({ environment, variants }: Result): string {
  const { cpu, cores } = environment.host
  const isShared = variants.flatMap(({ server }) => server ?? []).every(({ startedByUs }) => startedByUs)
  return `${isShared ? '' : 'client on '}${cpu}, ${coresText(cores)}`
}

/** A size in MB, shown in GB from 1024 MB. */
export function megabytes(value: number): string {
  return value < 1024 ? `${Math.round(value)} MB` : `${Number((value / 1024).toFixed(1))} GB`
}

/** The caption of charts: server, topology, version of mongo-perf and date. */
export function formatChartCaption(result: Result): string {
  const servers = inOrder(result).flatMap(({ server }) => server ?? [])
  const versions = [...new Set(servers.map(({ version }) => serverText(version)))].join(', ')
  const topologies = [...new Set(servers.map(({ topology }) => topology))].join(', ')
  const tool = `${result.tool.name} ${result.tool.version}`
  return [versions, topologies, tool, result.startedAt.slice(0, 10)].filter((part) => part !== '').join(' · ')
}
