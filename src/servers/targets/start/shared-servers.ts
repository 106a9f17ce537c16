import { sortedJson } from '../../../core/json.ts'
import { listServerOptions, type TargetSpec } from '../index.ts'
import { listLimitedResources, type ServerLimits } from '../server/limits/server-limits.ts'

/** Lists the limits of each server of a target, in the order of `RunningTarget.changeLimits`. */
export const listServerLimits = (spec: TargetSpec): readonly (ServerLimits | null)[] =>
  listServerOptions(spec).map(({ limits }) => limits)

/**
 * Whether servers that run can be what a row asks for. In place only limits of CPU and disk can be changed, and only of what
 * the servers were started with limits of: a process that is moved to another group leaves its page cache behind.
 * @param started What the servers were started for, whatever they were changed to since.
 */
export const sharesServers = (started: TargetSpec, wanted: TargetSpec): boolean =>
  !('fresh' in wanted && wanted.fresh) &&
  sortedJson(fixedPart(started)) === sortedJson(fixedPart(wanted)) &&
  hasGroupsFor(listServerLimits(wanted), listServerLimits(started))

/** All that servers keep from their start to their end. Facts describe them for readers, and change nothing. */
function fixedPart(spec: TargetSpec): unknown {
  const servers = listServerOptions(spec).map(({ limits, ...options }) => [options, limits?.memoryMB ?? null])
  const members = 'members' in spec ? spec.members.map(withoutServer) : null
  const shards =
    'shards' in spec
      ? spec.shards.map((shard) => ({ ...withoutServer(shard), members: shard.members.map(withoutServer) }))
      : null
  return { ...spec, members, shards, servers, server: null, configServer: null, facts: null }
}

/** Its options are among those of the servers. */
const withoutServer = <Part extends { readonly server?: unknown }>({
  server: _server,
  ...part
}: Part): Omit<Part, 'server'> => part

const hasGroupsFor = (wanted: readonly (ServerLimits | null)[], started: readonly (ServerLimits | null)[]): boolean =>
  wanted.every((limits, index) => {
    const there = listLimitedResources(started[index] ?? null)
    return listLimitedResources(limits).every((resource) => there.includes(resource))
  })
