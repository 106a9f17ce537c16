import { z } from 'zod'
import { cores } from './cores/cores-field.ts'
import { facts } from './facts.ts'
import { type MongosProcess } from './server/mongos-process.ts'
import { serverOptions } from './server/server-options.ts'
import { mongoshLine } from './server/shell-line.ts'
import { joinCommands, planSets, type SetPlan } from './sharded/cluster-plan.ts'
import { findRouter } from './sharded/find-router.ts'
import { router, shards } from './sharded/shard-options.ts'
import { firstPort, startRouters } from './sharded/start-routers.ts'
import { initiationLine, type RunningSet, runningSets, startSets } from './sharded/start-sets.ts'
import { stopAll } from './start-all.ts'
import { anyLost, memberOf, type Servers } from './start-servers.ts'
import { defineTarget, type Member, type RunningTarget } from './target.ts'

/** The target that starts a temporary sharded cluster on this machine. */
export const sharded = defineTarget({
  kind: 'sharded',
  summary: 'A throw-away sharded cluster on this machine, where a mongos is found.',
  spec: z.strictObject({
    kind: z.literal('sharded'),
    shards,
    configServers: z
      .int()
      .min(1)
      .max(7)
      .default(1)
      .describe('Number of config servers, which are one replica set, 1 to 7. Default: 1.'),
    routers: z.int().min(1).max(50).default(1).describe('Number of routers (mongos), 1 to 50. Default: 1.'),
    server: serverOptions
      .optional()
      .describe('Options of every mongod, config servers too; a shard or a member may have others. Default: none.'),
    router,
    cores,
    fresh: z.boolean().default(false).describe('Whether every variant gets new servers. Default: false.'),
    facts,
  }),
  servers: (spec) => planSets(spec).flatMap(({ requests }) => requests.map(({ options }) => options)),
  async start(spec, context) {
    // First of all: without a router nothing is started.
    const { path } = await findRouter(spec, context)
    const plans = planSets(spec, context.scripting)
    const servers = await startSets(plans, context)
    try {
      return running(plans, servers, await startRouters(spec.routers, path, runningSets(plans, servers), context))
    } catch (error) {
      await servers[Symbol.asyncDispose]()
      throw error
    }
  },
})

function running(plans: readonly SetPlan[], servers: Servers, routers: readonly MongosProcess[]): RunningTarget {
  const sets = runningSets(plans, servers)
  return {
    kind: 'sharded',
    uri: `mongodb://${routers.map(({ host }) => host).join()}/`,
    members: sets.filter(({ role }) => role === 'shardsvr').flatMap(membersWithData),
    commands: [
      ...servers.processes.flatMap(({ commands }) => commands),
      ...sets.map(initiationLine),
      ...routers.flatMap(({ commands }) => commands),
      ...joinCommands(sets).map((command) => mongoshLine(firstPort(routers), command)),
    ],
    startedByUs: true,
    lost: anyLost([...servers.processes, ...routers]),
    processes: servers.processes.map(({ control }) => control),
    changeLimits: async (limits) => running(plans, await servers.changeLimits(limits), routers),
    async [Symbol.asyncDispose]() {
      try {
        await stopAll(routers)
      } finally {
        await servers[Symbol.asyncDispose]()
      }
    },
  }
}

const membersWithData = ({ processes, members }: RunningSet): readonly Member[] =>
  processes.filter((_, index) => members[index]?.arbiter === false).map(memberOf)
