import { checkBinary } from './check-binary.ts'
import { type FindContext, sources } from './find-mongod.ts'
import { givenPath } from './sources/given-path.ts'
import { type Source } from './sources/source.ts'

/** What a source has to say about one binary, or about itself. */
export type ListedMongod = { readonly source: string } & (
  | { readonly kind: 'runs'; readonly path: string; readonly version: string }
  /** The reason begins with the path. */
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'nothing'; readonly reason: string }
  /** What it would fetch when a run needs it. */
  | { readonly kind: 'fetches'; readonly fetches: string }
)

/** Every binary that any source has on this machine, in the order in which a run tries them. Nothing is fetched. */
export async function listMongods(
  context: FindContext,
  list: readonly Source[] = sources.filter((source) => source !== givenPath),
): Promise<readonly ListedMongod[]> {
  const listed: ListedMongod[] = []
  for (const source of list) listed.push(...(await listSource(source, context)))
  return listed
}

async function listSource({ name, look, offer }: Source, context: FindContext): Promise<readonly ListedMongod[]> {
  const lookup = offer === undefined ? await look({}, context) : offer(context.machine)
  if ('nothing' in lookup) return [{ source: name, kind: 'nothing', reason: lookup.nothing }]
  if ('fetches' in lookup) return [{ source: name, kind: 'fetches', fetches: lookup.fetches }]
  return await Promise.all(
    lookup.paths.map(async (path): Promise<ListedMongod> => {
      const check = await checkBinary(path, context.machine, context.signal)
      return 'version' in check
        ? { source: name, kind: 'runs', path, version: check.version }
        : { source: name, kind: 'broken', reason: check.reason }
    }),
  )
}
