import { z } from 'zod'
import { linkIssues, linksSchema, type LinkSpec } from '../links/links-spec.ts'
import {
  membersField,
  plainMembers,
  setConfiguration,
  type SetMember,
  settingsSchema,
  type SetSettings,
} from '../replica-set/options.ts'
import { type ClusterRole } from '../server/process/mongod-process.ts'
import {
  mergeServerOptions,
  resolveServerOptions,
  type ServerOptions,
  serverOptions,
} from '../server/server-options.ts'
import { type ServerRequest } from '../start/start-servers.ts'

export type ClusterSpec = {
  readonly shards: readonly Shard[]
  readonly configServers: number
  readonly configServer?: ServerOptions | undefined
  readonly server?: ServerOptions | undefined
}

/** A replica set of a cluster: its config servers, or one shard. */
export type SetPlan = {
  readonly name: string
  readonly role: ClusterRole
  readonly members: readonly SetMember[]
  readonly settings: SetSettings
  /** Delays of its links. Undefined: no proxies are allowed in front of its members. */
  readonly links: readonly LinkSpec[] | undefined
  /** The servers of its members, in their order. */
  readonly requests: readonly ServerRequest[]
}

/** A set whose servers have their places, in the order of its members. */
export type PlacedSet = SetPlan & { readonly hosts: readonly string[] }

/** The sets of a cluster, that of the config servers first. */
export const planSets = (
  { shards, configServers, configServer, server }: ClusterSpec,
  scripting?: boolean,
): readonly SetPlan[] => [
  planSet(
    {
      name: 'config',
      role: 'configsvr',
      members: plainMembers(configServers),
      settings: settingsSchema.parse({}),
      links: undefined,
    },
    mergeServerOptions(server, configServer),
    scripting,
  ),
  ...shards.map(({ members, settings, links = [], server: ofShard }, index) =>
    planSet(
      { name: `shard${index}`, role: 'shardsvr', members, settings, links },
      mergeServerOptions(server, ofShard),
      scripting,
    ),
  ),
]

const planSet = (
  set: Omit<SetPlan, 'requests'>,
  server: ServerOptions | undefined,
  scripting: boolean | undefined,
): SetPlan => ({
  ...set,
  requests: set.members.map((member, index) => ({
    name: `${set.name}/member${index}`,
    options: resolveServerOptions(server, member.server, scripting),
    replicaSet: set.name,
    clusterRole: set.role,
  })),
})

export const createSetConfiguration = ({
  name,
  role,
  members,
  settings,
  hosts,
}: PlacedSet): Record<string, unknown> => ({
  ...setConfiguration(
    name,
    members.map((member, index) => ({ member, host: hosts[index] ?? '' })),
    settings,
  ),
  ...(role === 'configsvr' && { configsvr: true }),
})

/** How routers name a set: "shard0/127.0.0.1:27018,127.0.0.1:27019". */
export const formatSeed = ({ name, hosts }: Pick<PlacedSet, 'name' | 'hosts'>): string => `${name}/${hosts.join()}`

/** Lists the commands that a router is sent, in this order, to make a cluster of the sets. */
export function joinCommands(sets: readonly PlacedSet[], chunkSizeMB?: number): readonly Record<string, unknown>[] {
  const shards = sets.filter(({ role }) => role === 'shardsvr')
  const hasArbiter = shards.some(({ members }) => members.some(({ arbiter }) => arbiter))
  return [
    // A shard with an arbiter is refused while the cluster leaves the default to its shards; phases always set theirs.
    ...(hasArbiter ? [{ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } }] : []),
    ...(chunkSizeMB === undefined ? [] : [chunkSizeCommand(chunkSizeMB)]),
    ...shards.map((shard) => ({ addShard: formatSeed(shard), name: shard.name })),
  ]
}

/** Through the settings of the cluster, which all versions read. */
const chunkSizeCommand = (megabytes: number): Record<string, unknown> => ({
  update: 'settings',
  updates: [{ q: { _id: 'chunksize' }, u: { $set: { value: megabytes } }, upsert: true }],
  $db: 'config',
})

const shardFields = z
  .strictObject({
    members: membersField(1).refine(
      (list) => list.every(({ stopped }) => !stopped),
      'members of a shard cannot be stopped; members of a target of kind "replicaSet" can',
    ),
    settings: settingsSchema,
    links: linksSchema.describe(
      'Delays between its members, and between them and everything else: routers, config servers and other shards are the "client". As in a target of kind "replicaSet". Default: none.',
    ),
    server: serverOptions
      .optional()
      .describe("Options of its mongods, added to the target's; a member may override them. Default: none."),
  })
  .superRefine((shard, context) => {
    for (const { path, message } of linkIssues(shard.links ?? [], shard.members.length))
      context.addIssue({ code: 'custom', path: ['links', ...path], message })
  })
  .meta({ title: 'Shard' })

type Shard = z.output<typeof shardFields>

const maxShards = 50

const shardCount = z
  .int()
  .min(1)
  .max(maxShards)
  .transform((count): Shard[] => Array.from({ length: count }, () => shardFields.parse({})))

/** A number of equal shards, or each by itself; read, it is always a list. */
export const shards = z
  .union([shardCount, z.array(shardFields).min(1).max(maxShards)])
  .prefault(2)
  .describe(
    `Number of shards, 1 to ${maxShards}, or a list of them. Each is a replica set, called "shard0", "shard1" and so on. Default: 2.`,
  )

/** The spec field for the `mongos` to start, by version or by path. */
export const routerSchema = z
  .strictObject({
    version: serverOptions.shape.version.describe(
      'Version that the mongos must have: a series ("6.0") or a release ("8.0.4"). Default: any.',
    ),
    binary: z
      .string()
      .min(1)
      .optional()
      .describe('Path of the mongos to start. Default: MONGO_PERF_MONGOS, else beside the mongod or on the PATH.'),
  })
  .meta({ title: 'Router' })
  .prefault({})
  .describe('The mongos to start as a router. None is ever downloaded.')
