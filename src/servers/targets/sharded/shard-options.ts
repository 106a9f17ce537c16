import { z } from 'zod'
import { linkFaults, links } from '../links/links-spec.ts'
import { membersField, settings } from '../replica-set-options.ts'
import { serverOptions } from '../server/server-options.ts'

const shardFields = z
  .strictObject({
    members: membersField(1).refine(
      (list) => list.every(({ stopped }) => !stopped),
      'members of a shard cannot be stopped: only those of a target of kind "replicaSet" can',
    ),
    settings,
    links: links.describe(
      'Delays between its members, and between them and everybody else: routers, config servers and other shards are the "client". As in a target of kind "replicaSet". Default: none.',
    ),
    server: serverOptions
      .optional()
      .describe("Options of its mongods, on top of the target's; a member may have others. Default: none."),
  })
  .superRefine((shard, context) => {
    for (const { path, message } of linkFaults(shard.links ?? [], shard.members.length))
      context.addIssue({ code: 'custom', path: ['links', ...path], message })
  })
  .meta({ title: 'Shard' })

export type Shard = z.output<typeof shardFields>

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
export const router = z
  .strictObject({
    version: serverOptions.shape.version.describe(
      'Version that the mongos must have: a series ("6.0") or a release ("8.0.4"). Default: any.',
    ),
    binary: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Path of the mongos to start. Default: that of the variable MONGO_PERF_MONGOS, the one beside the mongod, or one on the PATH.',
      ),
  })
  .meta({ title: 'Router' })
  .prefault({})
  .describe('The mongos that routers are started from. None is ever fetched.')
