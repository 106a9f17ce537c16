import { Problem } from '../../core/errors.ts'
import { checkUris } from '../../servers/targets/existing/reach-existing.ts'
import { type TargetSpec } from '../../servers/targets/index.ts'
import { findRouter } from '../../servers/targets/sharded.ts'
import { wantedMongods } from '../../servers/targets/start/target-here.ts'
import { type StartContext } from '../../servers/targets/target.ts'

/**
 * Looks for the variables that the targets name, before any of them is started or contacted.
 * @throws {Problem} with all that are missing.
 */
export function preflightUris(
  targets: readonly TargetSpec[],
  context: Pick<StartContext, 'uri' | 'allowRemote'>,
): void {
  const variables = targets.flatMap((target) => (target.kind === 'existing' ? target.uriFrom : []))
  checkUris([...new Set(variables)], context)
}

/**
 * Finds a binary for the targets of all rows, and fetches those that are not there yet, before the first row starts: a run
 * that takes hours must not end at a row that could never have run.
 * @throws {Problem} with all that are missing.
 */
export async function preflightBinaries(
  targets: readonly TargetSpec[],
  { mongod }: Pick<StartContext, 'mongod'>,
): Promise<void> {
  const requests = new Map(targets.flatMap(wantedMongods).map((wanted) => [JSON.stringify(wanted), wanted]))
  const missing: Problem[] = []
  for (const wanted of requests.values()) {
    try {
      await mongod(wanted)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // The run itself ends as one that was aborted.
      if (error.code === 'aborted') return
      if (error.code !== 'no-server') throw error
      missing.push(error)
    }
  }
  const [first, ...others] = missing
  if (first === undefined) return
  if (others.length === 0) throw first
  throw new Problem('no-server', missing.map(({ message }) => message).join('\n'), {
    hint: 'Nothing was started. `mongo-perf list binaries` shows what is there; --only runs the other rows.',
  })
}

/**
 * Looks for the routers of sharded clusters, before any server of theirs is started.
 * @throws {Problem} "not-measurable-here" where there is none.
 */
export async function preflightRouters(
  targets: readonly TargetSpec[],
  context: Pick<StartContext, 'mongod' | 'mongos'>,
): Promise<void> {
  try {
    for (const target of targets) if (target.kind === 'sharded') await findRouter(target, context)
  } catch (error) {
    // The run itself ends as one that was aborted.
    if (error instanceof Problem && error.code === 'aborted') return
    throw error
  }
}
