import { type Path } from '../../core/json.ts'
import { getOperation, isCalled } from '../operations/index.ts'
import { listMethods } from '../plan/phase-operations.ts'
import { type Rule } from '../rules/rule.ts'
import { type Spec } from './schema.ts'
import { listSeriesCalls } from './time-series-rule.ts'

/** Something in a spec that only servers from a version on have. */
type Need = { readonly path: Path; readonly what: string; readonly version: string }

/** Options of collections that not every server knows, and the version that brought them. */
const optionVersions: readonly (readonly [option: string, version: string])[] = [
  ['timeseries', '5.0'],
  ['timeseries.bucketMaxSpanSeconds', '6.3'],
  ['clusteredIndex', '5.3'],
  ['changeStreamPreAndPostImages', '6.0'],
]

/** Deletes of single measurements. */
const seriesVersions: Readonly<Record<string, string>> = { deleteOne: '7.0', findOneAndDelete: '7.0' }

/** Lists what a spec needs of servers, and what of it a server of this version does not have. */
export const listMissing = (spec: Pick<Spec, 'data' | 'phases'>, version: string): readonly Need[] =>
  [...listOptions(spec), ...listOperations(spec), ...listCallsOnSeries(spec)].filter((need) =>
    isOlder(version, need.version),
  )

const listOptions = ({ data }: Pick<Spec, 'data'>): readonly Need[] =>
  data.flatMap(({ collection, options }, i) =>
    optionVersions.flatMap(([option, version]) => {
      const steps = option.split('.')
      const given = steps.reduce<unknown>(
        (value, step) => (value as Record<string, unknown> | undefined)?.[step],
        options,
      )
      const what = `"${option}" of the collection "${collection}"`
      return given === undefined ? [] : [{ path: ['data', i, 'options', ...steps], what, version }]
    }),
  )

const listOperations = ({ phases }: Pick<Spec, 'phases'>): readonly Need[] =>
  phases.flatMap(({ name, operations }, p) =>
    operations.flatMap((operation, i) =>
      (isCalled(operation) ? listMethods(operation) : []).flatMap(({ kind }) => {
        const version = getOperation(kind).needsServer
        const path = ['phases', p, 'operations', i]
        return version === undefined ? [] : [{ path, what: `"${kind}" in the phase "${name}"`, version }]
      }),
    ),
  )

const listCallsOnSeries = (spec: Pick<Spec, 'data' | 'phases'>): readonly Need[] =>
  listSeriesCalls(spec).flatMap(({ path, kind, collection }) => {
    const version = seriesVersions[kind]
    return version === undefined ? [] : [{ path, what: `"${kind}" on the time series "${collection}"`, version }]
  })

/** A version that cannot be read is not called old. */
function isOlder(version: string, than: string): boolean {
  const [major = Infinity, minor = 0] = parseVersionNumbers(version)
  const [minMajor = 0, minMinor = 0] = parseVersionNumbers(than)
  return major < minMajor || (major === minMajor && minor < minMinor)
}

const parseVersionNumbers = (version: string): readonly number[] =>
  /^\d+(\.\d+)*/.exec(version)?.[0].split('.').map(Number) ?? []

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
