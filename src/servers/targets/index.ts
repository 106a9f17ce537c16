import { z } from 'zod'
import { coresFor } from './cores/cores-here.ts'
import { type CoreDivision } from './cores/divide-cores.ts'
import { existing } from './existing.ts'
import { type LinkSpec } from './links/links-spec.ts'
import { checkLinks } from './links/start-links.ts'
import { replicaSet } from './replica-set.ts'
import { checkLimits } from './server/limits/check-limits.ts'
import { withoutOwnGroups } from './server/limits/hierarchies.ts'
import { type ResolvedServerOptions } from './server/server-options.ts'
import { withHomeVariable } from './server/shell-line.ts'
import { sharded } from './sharded.ts'
import { standalone } from './standalone.ts'
import { borrowed } from './start/lent-target.ts'
import { type RunningTarget, type StartContext } from './target.ts'

const byKind = { existing, standalone, replicaSet, sharded } as const
/** Every kind of target. A new one is a file, and a word in the lists above and below. */
export const targets = Object.values(byKind)
export const targetSpec = z
  .discriminatedUnion('kind', [existing.spec, standalone.spec, replicaSet.spec, sharded.spec])
  .meta({ title: 'Target' })

export type TargetSpec = z.output<typeof targetSpec>

type Target = {
  readonly servers: (spec: TargetSpec) => readonly ResolvedServerOptions[]
  readonly start: (spec: TargetSpec, context: StartContext) => Promise<RunningTarget>
}

/** Returns the target of a spec. Safe: its own `spec` has parsed what it is given. */
const getTarget = ({ kind }: TargetSpec): Target => byKind[kind] as unknown as Target

export const listServerOptions = (spec: TargetSpec): readonly ResolvedServerOptions[] => getTarget(spec).servers(spec)

/**
 * Refuses targets whose limits, cores or links this machine cannot keep, before the first of them is started.
 * @throws {Problem} "not-measurable-here" with the reason.
 */
export async function checkTargets(specs: readonly TargetSpec[], context: StartContext): Promise<void> {
  const { tempFolder, host } = context
  for (const server of specs.flatMap(listServerOptions)) await checkLimits(server, tempFolder, host)
  for (const spec of specs) await divideTargetCores(spec, context)
  for (const spec of specs) checkLinks(listTargetLinks(spec).length > 0, host)
}

/** The links between members that a target asks for. */
export function listTargetLinks(spec: TargetSpec): readonly LinkSpec[] {
  if (spec.kind === 'sharded') return spec.shards.flatMap(({ links = [] }) => links)
  return (spec.kind === 'replicaSet' && spec.links) || []
}

/** Starts (or connects to) what a spec asks for. Disposing the result stops what was started. */
export async function startTarget(spec: TargetSpec, context: StartContext): Promise<RunningTarget> {
  if (context.lent !== undefined) return borrowed(context.lent)
  const cores = await divideTargetCores(spec, context)
  const pinned = cores !== undefined && 'servers' in cores ? { ...context, serverCores: cores.servers } : context
  return await described(await getTarget(spec).start(spec, pinned), cores, context)
}

function divideTargetCores(spec: TargetSpec, context: StartContext): Promise<CoreDivision | undefined> {
  return coresFor('cores' in spec ? spec.cores : undefined, maxCpus(spec), context)
}

/** Maximum CPU limit of the servers of a target. 0: none has one. */
export const maxCpus = (spec: TargetSpec): number =>
  Math.max(0, ...listServerOptions(spec).map(({ limits }) => limits?.cpus ?? 0))

/** A target with its cores, and with commands that work in anybody's home and group. */
async function described(
  target: RunningTarget,
  cores: CoreDivision | undefined,
  context: StartContext,
): Promise<RunningTarget> {
  const { changeLimits } = target
  const commands = await withoutOwnGroups(target.commands, context.host.root)
  return {
    ...target,
    ...(cores && { cores }),
    commands: commands.map((line) => withHomeVariable(line, context.home)),
    ...(changeLimits && { changeLimits: async (limits) => described(await changeLimits(limits), cores, context) }),
  }
}
