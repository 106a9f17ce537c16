import { type Path } from '../../core/json.ts'
import { getMember } from '../../language/values/bson-types.ts'
import { getOperation } from '../operations/index.ts'
import { methodsIn } from '../plan/phase-operations.ts'
import { type Rule } from '../rules/rule.ts'
import { type Spec } from './schema.ts'

type Written = Pick<Spec, 'data' | 'phases'>

/** Something in a spec that only servers from a version on have. */
type Need = { readonly path: Path; readonly what: string; readonly version: string }

/** Lists what of a spec a server of this version does not have. */
export const listMissing = (spec: Written, version: string): readonly Need[] =>
  listOperations(spec).filter((need) => isOlder(version, need.version))

const listOperations = (spec: Written): readonly Need[] =>
  methodsIn(spec).flatMap(({ method, path }) => {
    const name = ('collection' in method ? method.collection : undefined) ?? spec.data[0]?.collection
    const series = spec.data.find(({ collection, options }) => collection === name && options?.timeseries !== undefined)
    const [on, version] =
      series && method.kind === 'deleteOne' ? [' on a time series', '7.0'] : ['', getOperation(method.kind).needsServer]
    const what = `"${method.kind}"${on} in the phase "${spec.phases[Number(path[1])]?.name}"`
    return version === undefined ? [] : [{ path, what, version }]
  })

const searchStages = ['$search', '$searchMeta', '$vectorSearch', '$listSearchIndexes']

/** Lists the stages of a spec that only a server with a search server (mongot) has. */
export const listSearches = (spec: Pick<Spec, 'phases'>): readonly Omit<Need, 'version'>[] =>
  methodsIn(spec).flatMap(({ method, path }) => {
    const [first] = 'pipeline' in method && Array.isArray(method.pipeline) ? (method.pipeline as unknown[]) : []
    const stage = searchStages.find((name) => getMember(first, name) !== undefined)
    const what = `"${stage}" in the phase "${spec.phases[Number(path[1])]?.name}"`
    return stage === undefined ? [] : [{ path, what }]
  })

/** Refuses searches on the servers that mongo-perf starts. Others are asked when they run. */
export const searchServerRule: Rule = {
  name: 'search-server',
  reads: ['target'],
  check(spec, report) {
    if (spec.target.kind === 'existing') return
    const reason =
      'needs a search server, which no server has that mongo-perf starts: run it on one that has, with --target existing'
    for (const { path, what } of listSearches(spec)) report(path, `${what} ${reason}`)
  },
}

/** A version that cannot be read is not called old. */
export function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = than.split('.').map(Number)
  const [, ownMajor = Infinity, ownMinor = 0] = /^(\d+)\.?(\d*)/.exec(version)?.map(Number) ?? []
  return ownMajor < major || (ownMajor === major && ownMinor < minor)
}

/** Refuses what the version that a target asks for does not have. Other servers are asked for theirs when they run. */
export const serverNeedsRule: Rule = {
  name: 'server-needs',
  reads: ['target', 'data'],
  check(spec, report) {
    const version = 'server' in spec.target ? spec.target.server?.version : undefined
    if (version === undefined) return
    for (const { path, what, version: needed } of listMissing(spec, version))
      report(path, `${what} needs a server of ${needed} or newer, and the target asks for ${version}`)
  },
}
