import { type DataSetResult } from '../../results/schema.ts'
import { type ServerLimits, unlimited } from '../../servers/targets/server/limits/server-limits.ts'
import { mongoshLineTo } from '../../servers/targets/server/shell-line.ts'
import { listServerLimits } from '../../servers/targets/start/shared-servers.ts'
import { type RunningTarget } from '../../servers/targets/target.ts'
import { type DataSet } from '../../spec/plan/data-set.ts'
import { balancerFor } from '../../spec/plan/sharding-commands.ts'
import { type OpenRow } from '../row-run.ts'
import { type OnSent } from './indexes.ts'
import { prepareData } from './prepare-data.ts'

/** The data of a row when it is loaded. */
export type LoadedData = {
  readonly data: DataSetResult[]
  /** Commands that placed it, to be repeated by hand. */
  readonly commands: readonly string[]
}

export async function loadData(dataSets: readonly DataSet[], row: OpenRow): Promise<LoadedData> {
  const { client, spec, target, at, emit } = row
  // The URI of an existing server holds secrets.
  const address = spec.target.kind === 'existing' ? `"$${spec.target.uriFrom}"` : target.uri
  const commands: string[] = []
  const onSent: OnSent = (collection, sent) => {
    const lines = sent.map((command) => mongoshLineTo(address, command))
    commands.push(...lines)
    emit({ kind: 'setUp', at, collection, commands: lines })
  }
  const cluster = {
    admin: (command: object) => client.db('admin').command(command),
    startedByUs: target.startedByUs,
    balancer: balancerFor(spec.data),
    onSent,
  }
  const context = { ...row, commitQuorum: lacksMembers(target) ? 1 : undefined, onSent, cluster }
  const data = await withoutLimits(target, listServerLimits(spec.target), () => prepareData(dataSets, context))
  return { data, commands }
}

/** Whether members are stopped on purpose: setting up must not wait for them, so the primary's acknowledgement is enough. */
export const lacksMembers = ({ stopped = [] }: RunningTarget): boolean => stopped.length > 0

/**
 * Lets servers started by mongo-perf get ready for a row as fast as the machine can: a load is not measured, and on the slowest disk of a
 * table it takes minutes. Memory stays limited, or caches would be there afterwards that the row must not have.
 * @param limits What the servers are held to, before and after.
 */
export async function withoutLimits<Value>(
  { changeLimits }: Pick<RunningTarget, 'changeLimits'>,
  limits: readonly (ServerLimits | null)[],
  prepare: () => Promise<Value>,
): Promise<Value> {
  const lifted = limits.map((limit) => limit && { ...unlimited, memoryMB: limit.memoryMB })
  if (changeLimits === undefined || JSON.stringify(lifted) === JSON.stringify(limits)) return await prepare()
  await changeLimits(lifted)
  try {
    return await prepare()
  } finally {
    await changeLimits(limits)
  }
}
