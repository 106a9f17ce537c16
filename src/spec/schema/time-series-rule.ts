import { listWriters } from '../plan/writers.ts'
import { type Rule } from '../rules/rule.ts'

const changesOne = 'cannot change single measurements of it: use "updateMany" of its metaField, or insert another one'

/** Writes that no server does to a time series. */
const refused: ReadonlyMap<string, string> = new Map([
  ['updateOne', changesOne],
  ['replaceOne', changesOne],
  ['findOneAndUpdate', changesOne],
  ['findOneAndReplace', changesOne],
  ['$merge', 'cannot write to it: insert measurements instead'],
])

/** Refuses what no server does with a time series. What some do is left to the answer of the server. */
export const timeSeriesRule: Rule = {
  name: 'time-series',
  reads: ['data'],
  check(spec, report) {
    const series = new Set(spec.data.flatMap(({ collection, options }) => (options?.timeseries ? [collection] : [])))
    for (const [d, { collection, indexes }] of spec.data.entries())
      for (const [i, { unique, expireAfterSeconds, partialFilterExpression }] of indexes.entries()) {
        const at = ['data', d, 'indexes', i]
        if (!series.has(collection)) continue
        if (unique === true) report([...at, 'unique'], 'a time series has no unique indexes')
        if (expireAfterSeconds !== undefined && partialFilterExpression === undefined)
          report([...at, 'expireAfterSeconds'], 'is one of the "options" of a time series, not of its indexes')
      }
    for (const { path, keyword, namespaces } of listWriters(spec)) {
      const written = namespaces.find(({ database, collection }) => database === undefined && series.has(collection))
      const [, p, , o] = path.map(Number)
      const inTransaction = spec.phases[p ?? 0]?.operations[o ?? 0]?.kind === 'transaction'
      const reason = refused.get(keyword) ?? (inTransaction ? 'cannot write to it in a transaction' : undefined)
      if (written && reason) report(path, `"${written.collection}" is a time series, and "${keyword}" ${reason}`)
    }
  },
}
