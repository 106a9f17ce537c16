import { type Document, type MongoClient, MongoServerError } from 'mongodb'
import { isObject } from '../../core/json.ts'
import { formatQuantity } from '../../core/quantities.ts'
import { runCommand } from '../../protocol/wire/run-command.ts'
import { plainSettings } from '../../protocol/wire/settings.ts'
import { type ServerInfo } from '../../results/schema/servers.ts'
import { findFileSystem } from '../targets/server/limits/hierarchies.ts'
import { cpuPeriodUs } from '../targets/server/limits/settings.ts'
import { type RunningTarget } from '../targets/target.ts'
import { type Fields, openDocument } from './sample.ts'
import { describeServerVersion, isPlainMongoDB, stringIn, valueIn } from './server-version.ts'

/** Replies of the server to commands about itself. Null where it refused. */
export type ServerReplies = {
  readonly hello: Fields | null
  readonly buildInfo: Fields | null
  readonly serverStatus: Fields | null
  readonly hostInfo: Fields | null
  /** Reply of a router only. */
  readonly listShards: Fields | null
  /** The `serverStatus` of a member of a shard, where one can be asked: a router has no storage. */
  readonly shardStatus?: Fields | null
  /** Names of its hosts, without ports. Default: not known. */
  readonly hosts?: readonly string[]
}

/** Facts that a server may keep to itself, and the value that shows whether it does. */
const reported = [
  ['its cores', ({ cores }) => cores],
  ['its memory', ({ memoryMB }) => memoryMB],
  ['its storage engine', ({ storageEngine }) => storageEngine],
  ['its cache', ({ cacheMB }) => cacheMB],
] as const satisfies readonly (readonly [string, (server: ServerInfo) => unknown])[]

/** Names what a server does not report of itself. None where it is a MongoDB on a machine of its own: there it is a matter of roles. */
export async function listUnreported(client: MongoClient, server: ServerInfo): Promise<readonly string[]> {
  if (isPlainMongoDB(server.version)) return []
  const ask = asks(client)
  const [status, metrics] = await Promise.all([ask({ serverStatus: 1 }), ask({ getDiagnosticData: 1 })])
  return [
    ...reported.filter(([, read]) => read(server) === null).map(([name]) => name),
    ...(status?.['opLatencies'] === undefined ? ['its operation and network counters'] : []),
    ...(metrics === null ? ['CPU and disk of its host'] : []),
  ]
}

/** Asks the server about itself. Null: it refuses. */
const asks =
  (client: MongoClient) =>
  (command: Document): Promise<Fields | null> =>
    client.db('admin').command(command).catch(nullWhereRefused)

type AskedTarget = Pick<RunningTarget, 'startedByUs' | 'members' | 'links' | 'stopped' | 'cores' | 'besides'>

/** Reads the version, topology and configuration of a server or router. Throws only when it cannot be reached. */
export async function readServerInfo(client: MongoClient, target: AskedTarget): Promise<ServerInfo> {
  const ask = asks(client)
  const [hello, buildInfo, serverStatus, hostInfo] = await Promise.all([
    ask({ hello: 1 }),
    ask({ buildInfo: 1 }),
    ask({ serverStatus: 1 }),
    ask({ hostInfo: 1 }),
  ])
  const listShards = isRouter(hello) ? await ask({ listShards: 1 }) : null
  const shardStatus = isRouter(hello) ? await askShard(target, { serverStatus: 1 }) : null
  const started = isRouter(hello) ? askShard(target, { getCmdLineOpts: 1 }) : ask({ getCmdLineOpts: 1 })
  const compressors = client.options.compressors?.filter((name) => name !== 'none') ?? []
  const hosts = client.options.hosts.flatMap(({ host }) => host ?? [])
  const info = toServerInfo({ hello, buildInfo, serverStatus, hostInfo, listShards, shardStatus, hosts }, target)
  return { ...info, ...(await readConditions(await started, target)), ...(compressors.length > 0 && { compressors }) }
}

const plainValue = (value: unknown): string =>
  /^(?:-?[\d.]+|true|false)$/.test(String(value)) ? String(value) : 'text'

async function askShard({ startedByUs, members: [member] }: AskedTarget, command: Document): Promise<Fields | null> {
  if (!startedByUs || member === undefined) return null
  return await runCommand(plainSettings(member.host), command, askMs).catch(() => null)
}

/** Reads what a server was started with and where its data lies, on which figures depend although no table has it. */
async function readConditions(
  options: Fields | null,
  { startedByUs }: Pick<AskedTarget, 'startedByUs'>,
): Promise<Pick<ServerInfo, 'setParameters' | 'fileSystem'>> {
  const parameters = valueIn(options, ['parsed', 'setParameter'])
  const folder = startedByUs ? stringIn(options, 'parsed', 'storage', 'dbPath') : null
  const fileSystem = folder === null ? undefined : await findFileSystem(folder, '/')
  return {
    ...(isObject(parameters) && {
      setParameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, plainValue(value)])),
    }),
    ...(fileSystem !== undefined && { fileSystem }),
  }
}

const askMs = 5_000

const isRouter = (hello: Fields | null): boolean => hello?.['msg'] === 'isdbgrid'

function nullWhereRefused(error: unknown): null {
  if (error instanceof MongoServerError) return null
  throw error
}

export function toServerInfo(
  replies: ServerReplies,
  { startedByUs, members, links, stopped = [], cores, besides }: AskedTarget,
): ServerInfo {
  const { hello, serverStatus, hostInfo, listShards, shardStatus = null } = replies
  const { limits, directIO } =
    members.find(({ host, hostInSet = host }) => hostInSet === hello?.['me']) ?? members[0] ?? unlimited
  const pinned = cores !== undefined && 'servers' in cores ? cores : null
  const cluster = isRouter(hello) ? describeCluster(listShards, besides) : null
  const status = shardStatus ?? serverStatus
  return {
    version: describeServerVersion(replies),
    topology: [describeTopology(hello ?? {}, listShards), ...stopped.map((name) => `${name} stopped on purpose`)].join(
      ', ',
    ),
    storageEngine: stringIn(status, 'storageEngine', 'name'),
    cacheMB: readCacheMB(status),
    cores: effective(
      numberOfSystem(hostInfo, 'numCoresAvailableToProcess', 'numCores'),
      limits?.cpus && limits.cpus * (cluster?.shards.length ?? 1),
      pinned?.servers.length,
    ),
    memoryMB: effective(numberOfSystem(hostInfo, 'memLimitMB', 'memSizeMB'), limits?.memoryMB),
    limits: limits && { ...limits, cpuPeriodMs: limits.cpus && cpuPeriodUs(limits.cpus) / 1000 },
    pinnedCores: pinned && { client: [...pinned.client], servers: [...pinned.servers] },
    directIO,
    links: links?.achieved ?? null,
    cluster,
    os: describeOs(hostInfo),
    startedByUs,
  }
}

/** A figure of what the process may use (6.1 and newer), else of what the host has. */
const numberOfSystem = (hostInfo: Fields | null, ofProcess: string, ofHost: string): number | null =>
  numberIn(hostInfo, 'system', ofProcess) ?? numberIn(hostInfo, 'system', ofHost)

const unlimited = { limits: null, directIO: false }

function readCacheMB(status: Fields | null): number | null {
  const bytes = numberIn(status, 'wiredTiger', 'cache', 'maximum bytes configured')
  return bytes === null ? null : Math.round(bytes / 1024 ** 2)
}

/** Returns the resources that a server may use: those of its host, or its lowest limit. */
function effective(...bounds: readonly (number | null | undefined)[]): number | null {
  const known = bounds.flatMap((bound) => bound ?? [])
  return known.length === 0 ? null : Math.min(...known)
}

/** The topology as text. Hidden members are invisible to clients and are not counted. */
function describeTopology(hello: Fields, listShards: Fields | null): string {
  if (isRouter(hello)) return clusterText(listShards)
  if (typeof hello['setName'] !== 'string') return 'standalone'
  const count = (name: string): number => (Array.isArray(hello[name]) ? hello[name].length : 0)
  const arbiters = count('arbiters')
  const members = `replica set of ${count('hosts') + count('passives')}`
  if (arbiters === 0) return members
  return `${members} + ${arbiters === 1 ? 'arbiter' : `${arbiters} arbiters`}`
}

function describeCluster(listShards: Fields | null, besides: AskedTarget['besides']): ServerInfo['cluster'] {
  const shards = listShards?.['shards']
  if (!Array.isArray(shards)) return null
  const count = (wanted: string): number | null => besides?.filter(({ role }) => role === wanted).length ?? null
  return {
    // "shard0/one:27018,two:27018": arbiters are not named.
    shards: shards.map((shard) => {
      const { _id, host } = openDocument(shard) ?? {}
      return { name: String(_id), members: String(host).split(',').length }
    }),
    routers: count('router'),
    configServers: count('config'),
  }
}

/** Without a reply the number of shards is left out. */
function clusterText(listShards: Fields | null): string {
  const shards = listShards?.['shards']
  if (!Array.isArray(shards)) return 'sharded cluster'
  return `sharded cluster of ${formatQuantity(shards.length, 'shard')}`
}

/** Linux servers report a line of /etc/os-release as the name. */
function describeOs(hostInfo: Fields | null): string | null {
  const name = stringIn(hostInfo, 'os', 'name')?.replace(/^PRETTY_NAME="?(.*?)"?$/, '$1')
  const parts = [name ?? stringIn(hostInfo, 'os', 'type'), stringIn(hostInfo, 'os', 'version')].filter(
    (part) => part !== null,
  )
  return parts.length === 0 ? null : parts.join(', ')
}

function numberIn(root: Fields | null, ...path: readonly string[]): number | null {
  const value = valueIn(root, path)
  return typeof value === 'number' ? value : null
}
