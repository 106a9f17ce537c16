import { adminCommand } from '../server/admin-command.ts'
import { type MongosProcess, startMongos } from '../server/mongos-process.ts'
import { startAll, stopAll } from '../start-all.ts'
import { type StartContext } from '../target.ts'
import { seedOf } from './cluster-plan.ts'
import { joinCluster } from './join-cluster.ts'
import { type RunningSet } from './start-sets.ts'

/** A shard is added to its cluster before the router answers. */
const joinMs = 60_000

/**
 * Starts routers and has one of them make a cluster of the sets. When anything fails, no router is left.
 * @param binary Path of the `mongos`.
 * @param commands See `joinCommands`.
 */
export async function startRouters(
  count: number,
  binary: string,
  sets: readonly RunningSet[],
  commands: readonly Readonly<Record<string, unknown>>[],
  context: StartContext,
): Promise<readonly MongosProcess[]> {
  const config = sets.find(({ role }) => role === 'configsvr')
  if (config === undefined) throw new Error('A cluster has config servers')
  const request = { binary, configServers: seedOf(config), scripting: context.scripting ?? false }
  const start = (index: number): Promise<MongosProcess> => startMongos({ ...request, name: `router${index}` }, context)
  const routers = await startAll(Array.from({ length: count }, (_, index) => start(index)))
  try {
    await joinCluster(commands, (command) => adminCommand(firstPort(routers), command, joinMs))
    return routers
  } catch (error) {
    await stopAll(routers)
    throw error
  }
}

/** Of the router that gets the commands that concern the whole cluster: any would do. */
export const firstPort = ([router]: readonly MongosProcess[]): number => router?.port ?? 0
