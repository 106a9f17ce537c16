import { conditionsInShards } from '../links/conditions.ts'
import { type Links, startLinks } from '../links/start-links.ts'
import { formReplicaSet } from '../replica-set/form-replica-set.ts'
import { firstPrimary } from '../replica-set/options.ts'
import { type MongodProcess } from '../server/process/mongod-process.ts'
import { mongoshLine } from '../server/shell-line.ts'
import { disposeAll, type Servers, startServers } from '../start/start-servers.ts'
import { type StartContext, type TargetLinks } from '../target.ts'
import { createSetConfiguration, type PlacedSet, type SetPlan } from './cluster-plan.ts'

/** A set that runs, its servers in the order of its members. */
export type RunningSet = PlacedSet & { readonly processes: readonly MongodProcess[] }

/** Proxies in front of the members of each shard, by the name of the shard. */
export type Proxies = ReadonlyMap<string, Links>

/** Servers of sets that have formed. Disposing ends their proxies too. */
export type Sets = Servers & { readonly proxies: Proxies; readonly links: TargetLinks | undefined }

/** Starts config servers and shards and joins each into its set: all of a cluster that needs no router. */
export async function startSets(plans: readonly SetPlan[], context: StartContext): Promise<Sets> {
  const servers = await startServers(
    plans.flatMap(({ requests }) => requests),
    context,
  )
  const proxies = new Map<string, Links>()
  const dispose = (): Promise<void> => disposeAll([servers, ...proxies.values()])
  try {
    for (const { name, links, processes } of runningSets(plans, servers))
      if (links !== undefined) proxies.set(name, await startLinks(links, processes, context))
    const forms = await Promise.allSettled(
      runningSets(plans, servers, proxies).map((set) => formSet(set, context.signal)),
    )
    const failure = forms.find((form) => form.status === 'rejected')
    if (failure) throw failure.reason
    return { ...servers, proxies, links: await linksIn(proxies), [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

const formSet = (set: RunningSet, signal: AbortSignal): Promise<void> =>
  formReplicaSet(set.processes, createSetConfiguration(set), firstPrimary(set.members), signal)

/** Measures the links of all shards, one shard after the other, and names their ends by their shards. */
async function linksIn(proxies: Proxies): Promise<TargetLinks | undefined> {
  const measured: (readonly [string, TargetLinks])[] = []
  for (const [shard, { measured: measure }] of proxies) {
    const links = await measure()
    if (links !== undefined) measured.push([shard, links])
  }
  if (measured.length === 0) return undefined
  return {
    achieved: {
      ownCostMs: Math.max(...measured.map(([, { achieved }]) => achieved.ownCostMs)),
      pairs: measured.flatMap(([shard, { achieved }]) =>
        achieved.pairs.map((pair) => ({ ...pair, from: inCluster(shard, pair.from), to: inCluster(shard, pair.to) })),
      ),
    },
    conditions: conditionsInShards(new Map(measured.map(([shard, { conditions }]) => [shard, conditions]))),
  }
}

const inCluster = (shard: string, end: string): string => (end === 'client' ? end : `${shard}/${end}`)

/** Pairs the plan of each set with its running processes and the addresses that others have of them. */
export const runningSets = (
  plans: readonly SetPlan[],
  { processes }: Pick<Servers, 'processes'>,
  proxies: Proxies = new Map(),
): readonly RunningSet[] =>
  plans.map((plan) => {
    const own = processes.filter(({ name }) => plan.requests.some((request) => request.name === name))
    return { ...plan, processes: own, hosts: proxies.get(plan.name)?.hosts ?? own.map(({ host }) => host) }
  })

/** How a set was joined, to be repeated by hand. */
export const initiationLine = (set: RunningSet): string =>
  mongoshLine(set.processes[firstPrimary(set.members)]?.port ?? 0, { replSetInitiate: createSetConfiguration(set) })
