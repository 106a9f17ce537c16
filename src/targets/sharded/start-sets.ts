import { formReplicaSet } from '../form-replica-set.ts'
import { firstPrimary } from '../replica-set-options.ts'
import { type MongodProcess } from '../server/mongod-process.ts'
import { mongoshLine } from '../server/shell-line.ts'
import { type Servers, startServers } from '../start-servers.ts'
import { type StartContext } from '../target.ts'
import { configurationOf, type PlacedSet, type SetPlan } from './cluster-plan.ts'

/** A set that runs, its servers in the order of its members. */
export type RunningSet = PlacedSet & { readonly processes: readonly MongodProcess[] }

/** Starts config servers and shards and joins each into its set: all of a cluster that needs no router. */
export async function startSets(plans: readonly SetPlan[], context: StartContext): Promise<Servers> {
  const servers = await startServers(
    plans.flatMap(({ requests }) => requests),
    context,
  )
  try {
    const forms = await Promise.allSettled(runningSets(plans, servers).map((set) => formSet(set, context.signal)))
    const failure = forms.find((form) => form.status === 'rejected')
    if (failure) throw failure.reason
    return servers
  } catch (error) {
    await servers[Symbol.asyncDispose]()
    throw error
  }
}

const formSet = (set: RunningSet, signal: AbortSignal): Promise<void> =>
  formReplicaSet(set.processes, configurationOf(set), firstPrimary(set.members), signal)

/** Pairs the plan of each set with its running processes and their hosts. */
export const runningSets = (
  plans: readonly SetPlan[],
  { processes }: Pick<Servers, 'processes'>,
): readonly RunningSet[] =>
  plans.map((plan) => {
    const own = processes.filter(({ name }) => plan.requests.some((request) => request.name === name))
    return { ...plan, processes: own, hosts: own.map(({ host }) => host) }
  })

/** How a set was joined, to be repeated by hand. */
export const initiationLine = (set: RunningSet): string =>
  mongoshLine(set.processes[firstPrimary(set.members)]?.port ?? 0, { replSetInitiate: configurationOf(set) })
