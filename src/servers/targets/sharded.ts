import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { CommandError } from '../../protocol/wire/wire-error.ts'
import { cores } from './cores/divide-cores.ts'
import { adminCommand } from './server/process/admin-command.ts'
import { startMongos } from './server/process/mongos-process.ts'
import { type RunningServer } from './server/process/server-process.ts'
import { type FoundBinary, type WantedBinary } from './server/programs/find-program.ts'
import { serverOptions, resolveServerOptions, type ServerOptions } from './server/server-options.ts'
import { mongoshLine } from './server/shell-line.ts'
import { joinCommands, planSets, routerSchema, formatSeed, type SetPlan, shards } from './sharded/cluster-plan.ts'
import { initiationLine, type RunningSet, runningSets, type Sets, startSets } from './sharded/start-sets.ts'
import { anyLost, createMember, startAll, stopAll } from './start/start-servers.ts'
import { facts, defineTarget, type Member, type RunningTarget, type StartContext } from './target.ts'

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
    configServer: serverOptions
      .optional()
      .describe(
        'Options of the config servers, in addition to the options of the target, such as another `dbPath` or `limits`. Default: none.',
      ),
    chunkSizeMB: z
      .int()
      .min(1)
      .max(1024)
      .optional()
      .describe(
        'Size of a chunk in MB, 1 to 1024: with a smaller one the balancer moves smaller collections (6.0 or newer: where two shards differ by three chunks). Default: 128 (64 before 6.0), as on any server.',
      ),
    routers: z.int().min(1).max(50).default(1).describe('Number of routers (mongos), 1 to 50. Default: 1.'),
    server: serverOptions
      .optional()
      .describe('Options of every mongod, config servers too; a shard or a member may have others. Default: none.'),
    router: routerSchema,
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
      const sets = runningSets(plans, servers, servers.proxies)
      const commands = joinCommands(sets, spec.chunkSizeMB)
      return running(plans, servers, await startRouters(spec.routers, path, sets, commands, context), commands)
    } catch (error) {
      await servers[Symbol.asyncDispose]()
      throw error
    }
  },
})

function running(
  plans: readonly SetPlan[],
  servers: Sets,
  routers: readonly RunningServer[],
  joining: readonly Readonly<Record<string, unknown>>[],
): RunningTarget {
  const { proxies, links } = servers
  const sets = runningSets(plans, servers, proxies)
  return {
    kind: 'sharded',
    uri: `mongodb://${routers.map(({ host }) => host).join()}/`,
    members: sets.filter(({ role }) => role === 'shardsvr').flatMap(membersWithData),
    besides: [
      ...routers.map(({ name, host }) => ({ name, host, setsLooks: true, role: 'router' as const })),
      ...sets
        .filter(({ role }) => role === 'configsvr')
        .flatMap(({ processes }) =>
          processes.map(({ name, host, setsLooks }) => ({ name, host, setsLooks, role: 'config' as const })),
        ),
    ],
    commands: [
      ...servers.processes.flatMap(({ commands }) => commands),
      ...[...proxies.values()].flatMap(({ commands }) => commands),
      ...sets.map(initiationLine),
      ...routers.flatMap(({ commands }) => commands),
      ...joining.map((command) => mongoshLine(firstPort(routers), command)),
    ],
    startedByUs: true,
    ...(links && { links }),
    lost: anyLost([...servers.processes, ...routers]),
    processes: servers.processes.map(({ control }) => control),
    async changeLimits(limits) {
      const { processes, changeLimits } = await servers.changeLimits(limits)
      return running(plans, { ...servers, processes, changeLimits }, routers, joining)
    },
    async [Symbol.asyncDispose]() {
      try {
        await stopAll(routers)
      } finally {
        await servers[Symbol.asyncDispose]()
      }
    },
  }
}

const membersWithData = ({ processes, members, hosts }: RunningSet): readonly Member[] =>
  processes.flatMap((process, index) =>
    members[index]?.arbiter === false ? [{ ...createMember(process), hostInSet: hosts[index] ?? process.host }] : [],
  )

/** A shard is added to its cluster before the router answers. */
const joinMs = 60_000

/**
 * Starts routers and has one of them make a cluster of the sets. When anything fails, no router is left.
 * @param binary Path of the `mongos`.
 * @param commands See `joinCommands`.
 */
async function startRouters(
  count: number,
  binary: string,
  sets: readonly RunningSet[],
  commands: readonly Readonly<Record<string, unknown>>[],
  context: StartContext,
): Promise<readonly RunningServer[]> {
  const config = sets.find(({ role }) => role === 'configsvr')
  if (config === undefined) throw new Error('A cluster has config servers')
  const request = { binary, configServers: formatSeed(config), scripting: context.scripting ?? false }
  const start = (index: number): Promise<RunningServer> => startMongos({ ...request, name: `router${index}` }, context)
  const routers = await startAll(Array.from({ length: count }, (_, index) => start(index)))
  try {
    await joinCluster(commands, (command) => adminCommand(firstPort(routers), command, joinMs))
    return routers
  } catch (error) {
    await stopAll(routers)
    throw error
  }
}

/** Port of the router that gets the commands that concern the whole cluster: any would do. */
const firstPort = ([router]: readonly RunningServer[]): number => router?.port ?? 0

/** Sends a router what makes a cluster of sets, one command after the other. */
export async function joinCluster(
  commands: readonly Readonly<Record<string, unknown>>[],
  send: (command: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<void> {
  for (const command of commands) {
    try {
      await send(command)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      const [name] = Object.keys(command)
      throw new Problem('no-server', `The router refused "${name}": ${error.message}`, {
        hint: 'A mongos has to be of the release series of its cluster; --show-commands prints how all was started.',
      })
    }
  }
}

/**
 * Finds the `mongos` that a cluster is routed by.
 * @throws {Problem} "not-measurable-here" when there is none.
 */
export async function findRouter(
  { server, router }: { readonly server?: ServerOptions | undefined; readonly router: WantedBinary },
  { mongod, mongos }: Pick<StartContext, 'mongod' | 'mongos'>,
): Promise<FoundBinary> {
  const { binary, version } = resolveServerOptions(server)
  const { path } = await mongod({ binary, version })
  return await mongos({ binary: router.binary, version: router.version, mongod: path })
}
