import { checkBinary, type ServerProgram } from './check-binary.ts'
import { type FindContext } from './find-binary.ts'
import { sources } from './find-mongod.ts'
import { mongosSources } from './find-mongos.ts'
import { givenPath } from './sources/given-path.ts'
import { type Source } from './sources/source.ts'

/** What a source reports about one binary, or about itself. */
export type ListedBinary = { readonly source: string } & (
  | { readonly kind: 'runs'; readonly path: string; readonly version: string }
  /** The reason begins with the path. */
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'nothing'; readonly reason: string }
  /** What it would fetch when a run needs it. */
  | { readonly kind: 'fetches'; readonly fetches: string }
)

/** Every `mongod` that any source has on this machine, in the order in which a run tries them. Nothing is fetched. */
export const listMongods = (
  context: FindContext,
  list: readonly Source[] = sources.filter((source) => source !== givenPath),
): Promise<readonly ListedBinary[]> => listAll('mongod', list, context)

/** The same for `mongos`. Paths in specs are not known here. */
export const listMongoses = (context: FindContext, mongod: string | undefined): Promise<readonly ListedBinary[]> =>
  listAll('mongos', mongosSources(mongod).slice(1), context)

async function listAll(
  program: ServerProgram,
  list: readonly Source[],
  context: FindContext,
): Promise<readonly ListedBinary[]> {
  const listed: ListedBinary[] = []
  for (const source of list) listed.push(...(await listSource(program, source, context)))
  return listed
}

async function listSource(
  program: ServerProgram,
  { name, look, offer }: Source,
  context: FindContext,
): Promise<readonly ListedBinary[]> {
  const lookup = offer === undefined ? await look({}, context) : offer(context.machine)
  if ('nothing' in lookup) return [{ source: name, kind: 'nothing', reason: lookup.nothing }]
  if ('fetches' in lookup) return [{ source: name, kind: 'fetches', fetches: lookup.fetches }]
  return await Promise.all(
    lookup.paths.map(async (path): Promise<ListedBinary> => {
      const check = await checkBinary(program, path, context.machine, context.signal)
      return 'version' in check
        ? { source: name, kind: 'runs', path, version: check.version }
        : { source: name, kind: 'broken', reason: check.reason }
    }),
  )
}
