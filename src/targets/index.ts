import { z } from 'zod'
import { existing } from './existing.ts'
import { withoutOwnGroups } from './server/limits/hierarchies.ts'
import { checkLimits } from './server/limits/check-limits.ts'
import { type ResolvedServerOptions } from './server/server-options.ts'
import { withHomeVariable } from './server/shell-line.ts'
import { checkLinks } from './links/start-links.ts'
import { replicaSet } from './replica-set.ts'
import { sharded } from './sharded.ts'
import { standalone } from './standalone.ts'
import { type RunningTarget, type StartContext } from './target.ts'

/** Every kind of target. A new one is a file, a word in each of these two lists, and a case below. */
export const targets = [existing, standalone, replicaSet, sharded] as const
/** The schema of a target in a spec, one variant per kind. */
export const targetSpec = z.discriminatedUnion('kind', [existing.spec, standalone.spec, replicaSet.spec, sharded.spec])

export type TargetSpec = z.output<typeof targetSpec>

/** The options of every server that a target starts. */
export function serversOf(spec: TargetSpec): readonly ResolvedServerOptions[] {
  switch (spec.kind) {
    case 'existing':
      return existing.servers(spec)
    case 'standalone':
      return standalone.servers(spec)
    case 'replicaSet':
      return replicaSet.servers(spec)
    case 'sharded':
      return sharded.servers(spec)
  }
}

/**
 * Refuses targets whose limits or links this machine cannot keep, before the first of them is started.
 * @throws {Problem} "not-measurable-here" with the reason.
 */
export async function checkTargets(specs: readonly TargetSpec[], { tempFolder, host }: StartContext): Promise<void> {
  for (const server of specs.flatMap(serversOf)) await checkLimits(server, tempFolder, host)
  for (const spec of specs) if (spec.kind === 'replicaSet') checkLinks((spec.links ?? []).length > 0, host)
}

/** Starts (or connects to) what a spec asks for. Disposing the result stops what was started. */
export async function startTarget(spec: TargetSpec, context: StartContext): Promise<RunningTarget> {
  return await withPublicCommands(await startKind(spec, context), context)
}

async function withPublicCommands(target: RunningTarget, context: StartContext): Promise<RunningTarget> {
  const { changeLimits } = target
  const commands = await withoutOwnGroups(target.commands, context.host.root)
  return {
    ...target,
    commands: commands.map((line) => withHomeVariable(line, context.home)),
    ...(changeLimits && { changeLimits: async (limits) => withPublicCommands(await changeLimits(limits), context) }),
  }
}

function startKind(spec: TargetSpec, context: StartContext): Promise<RunningTarget> {
  switch (spec.kind) {
    case 'existing':
      return existing.start(spec, context)
    case 'standalone':
      return standalone.start(spec, context)
    case 'replicaSet':
      return replicaSet.start(spec, context)
    case 'sharded':
      return sharded.start(spec, context)
  }
}
