import { Problem } from '../../../core/errors.ts'
import { listServerOptions, type TargetSpec } from '../index.ts'
import { checkLimits } from '../server/limits/check-limits.ts'
import { type WantedBinary } from '../server/programs/find-program.ts'
import { type StartContext } from '../target.ts'

/** A target as this machine can start it. */
export type TargetHere = {
  readonly spec: TargetSpec
  /** Why its servers do not have the limits that are not required. Absent: they have all. */
  readonly limitsNotKept?: string
}

/**
 * Lifts the limits that are not required where this machine cannot keep one of them: all of them, because a server with half of
 * its limits would be neither what the spec describes nor an unlimited one. Limits that are required stay, and are checked later.
 */
export async function targetHere(
  spec: TargetSpec,
  context: Pick<StartContext, 'tempFolder' | 'host'>,
): Promise<TargetHere> {
  const reason = await whyNotKept(spec, context)
  return reason === undefined ? { spec } : { spec: withoutOptionalLimits(spec), limitsNotKept: reason }
}

async function whyNotKept(
  spec: TargetSpec,
  { tempFolder, host }: Pick<StartContext, 'tempFolder' | 'host'>,
): Promise<string | undefined> {
  try {
    for (const server of listServerOptions(spec)) await checkLimits(server, tempFolder, host)
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-measurable-here') return error.message
    throw error
  }
}

function withoutOptionalLimits(spec: TargetSpec): TargetSpec {
  switch (spec.kind) {
    case 'existing':
      return spec
    case 'standalone':
      return lifted(spec)
    case 'replicaSet':
      return lifted({ ...spec, members: spec.members.map(lifted) })
    case 'sharded':
      return lifted({
        ...spec,
        ...(spec.configServer && { configServer: lifted({ server: spec.configServer }).server }),
        shards: spec.shards.map((shard) => lifted({ ...shard, members: shard.members.map(lifted) })),
      })
  }
}

type TargetPart = {
  readonly server?: { readonly limits?: { readonly required?: boolean | undefined } | undefined } | undefined
}

/** `{}` and not nothing: a member without limits of its own has those of its target. */
const lifted = <P extends TargetPart>(part: P): P =>
  part.server?.limits?.required === false ? { ...part, server: { ...part.server, limits: {} } } : part

/** The binaries that a target starts, one for each of its servers. */
export const wantedMongods = (target: TargetSpec): readonly WantedBinary[] =>
  listServerOptions(target).map(({ binary, version }) => ({ binary, version }))
