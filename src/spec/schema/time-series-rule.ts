import { type Path } from '../../core/json.ts'
import { type Report } from '../../language/issues.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { listWriteModels } from '../operations/bulk-models.ts'
import { getOperation } from '../operations/index.ts'
import { methodsWithPaths, streamsIn } from '../plan/phase-operations.ts'
import { listWriters } from '../plan/writers.ts'
import { type Rule } from '../rules/rule.ts'
import { type DataSetSpec } from './data-schema.ts'
import { type Spec } from './schema.ts'

/** A call on a time series that the spec creates, or one of the writes of a bulk. */
type SeriesCall = {
  readonly path: Path
  readonly kind: string
  readonly collection: string
  readonly isUpsert: boolean
  readonly inTransaction: boolean
}

type Called = Pick<Spec, 'data' | 'phases'>

const findSeries = ({ data }: Called): ReadonlySet<string> =>
  new Set(data.flatMap(({ collection, options }) => (options?.timeseries === undefined ? [] : [collection])))

/** Lists the calls on the time series of a spec. */
export function listSeriesCalls(spec: Called): readonly SeriesCall[] {
  const series = findSeries(spec)
  return methodsWithPaths(spec).flatMap(({ method, path }) => {
    if ('bucketName' in method || method.kind === 'function') return []
    const [, p, , i] = path
    const inTransaction = spec.phases[Number(p)]?.operations[Number(i)]?.kind === 'transaction'
    const own = method.collection ?? spec.data[0]?.collection ?? ''
    const calls =
      'operations' in method
        ? listWriteModels(method).map(({ kind, model }, m) => ({ kind, model, path: [...path, 'operations', m] }))
        : [{ kind: method.kind, model: method, path }]
    return calls.flatMap(({ kind, model, path: at }) => {
      const collection = typeof model.collection === 'string' ? model.collection : own
      const isUpsert = 'upsert' in model && model.upsert === true
      return series.has(collection) ? [{ path: at, kind, collection, isUpsert, inTransaction }] : []
    })
  })
}

const changesOne: ReadonlySet<string> = new Set(['updateOne', 'replaceOne', 'findOneAndUpdate', 'findOneAndReplace'])

const writes = ({ kind }: SeriesCall): boolean => replyTraits[getOperation(kind).reply].writes

/** What no server does with a time series. The first that applies is reported. */
const refusals: readonly (readonly [applies: (call: SeriesCall) => boolean, reason: string])[] = [
  [
    ({ kind }) => changesOne.has(kind),
    'cannot change single measurements of it: use "updateMany", which changes its metaField, or insert a new measurement',
  ],
  [({ isUpsert }) => isUpsert, 'cannot upsert into it: leave out "upsert"'],
  [(call) => call.inTransaction && writes(call), 'cannot write to it in a transaction: use an operation of its own'],
]

/** Refuses what no server does with a time series. What some do is left to their version and their answer. */
export const timeSeriesRule: Rule = {
  name: 'time-series',
  reads: ['data'],
  check(spec, report) {
    const series = findSeries(spec)
    for (const [i, dataSet] of spec.data.entries())
      if (series.has(dataSet.collection)) validateIndexes(dataSet, ['data', i], report)
    for (const call of listSeriesCalls(spec)) {
      const reason = refusals.find(([applies]) => applies(call))?.[1]
      if (reason !== undefined) report(call.path, `"${call.collection}" is a time series, and "${call.kind}" ${reason}`)
    }
    for (const { path, keyword, namespaces } of listWriters(spec))
      for (const { database, collection } of namespaces)
        if (keyword === '$merge' && database === undefined && series.has(collection))
          report(
            path,
            `"${collection}" is a time series, which takes no "$merge": insert into it, or merge into another`,
          )
    for (const [p, phase] of spec.phases.entries())
      for (const { spec: stream, index } of streamsIn(phase)) {
        const watched = stream.collection ?? spec.data[0]?.collection ?? ''
        if (series.has(watched))
          report(['phases', p, 'operations', index], `"${watched}" is a time series, which has no change streams`)
      }
  },
}

/** Kinds of index that no time series has. */
function validateIndexes({ indexes }: DataSetSpec, path: Path, report: Report): void {
  for (const [i, { key, unique, expireAfterSeconds, partialFilterExpression }] of indexes.entries()) {
    const at = [...path, 'indexes', i]
    if (unique === true) report([...at, 'unique'], 'a time series has no unique indexes')
    if (Object.values(key).includes('text')) report([...at, 'key'], 'a time series has no text indexes')
    if (expireAfterSeconds !== undefined && partialFilterExpression === undefined)
      report(
        [...at, 'expireAfterSeconds'],
        'the measurements of a time series expire by "expireAfterSeconds" of its "options", not by an index',
      )
  }
}
