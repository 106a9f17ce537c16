import { type FoundBinary, type WantedBinary } from '../server/programs/find-program.ts'
import { resolveServerOptions, type ServerOptions } from '../server/server-options.ts'
import { type StartContext } from '../target.ts'

type RouterSpec = { readonly server?: ServerOptions | undefined; readonly router: WantedBinary }

/**
 * Finds the `mongos` that a cluster is routed by.
 * @throws {Problem} "not-measurable-here" when there is none.
 */
export async function findRouter(
  { server, router }: RouterSpec,
  { mongod, mongos }: Pick<StartContext, 'mongod' | 'mongos'>,
): Promise<FoundBinary> {
  const { binary, version } = resolveServerOptions(server)
  const { path } = await mongod({ binary, version })
  return await mongos({ binary: router.binary, version: router.version, mongod: path })
}
