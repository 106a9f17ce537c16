import { isWhole, type SpecRow } from '../fold/read-rows.ts'
import { findDataFile } from '../schema/data-file.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'
import { readMetadata } from '../schema/dump.ts'

/** Gives the data sets of rows the options and indexes that a dump has of their collections, beside those of their own. */
export const withDumps = (rows: readonly SpecRow[], folder: string): readonly SpecRow[] =>
  rows.map((row) => {
    if (!isWhole(row, ['data']) || !row.spec.data.some(({ file }) => file !== undefined)) return row
    return { ...row, spec: { ...row.spec, data: row.spec.data.map((dataSet) => withDump(dataSet, folder)) } }
  })

/** A dump that cannot be read is reported by the rule of files. */
function withDump(dataSet: DataSetSpec, folder: string): DataSetSpec {
  const found = dataSet.file === undefined || dataSet.metadata === false ? undefined : findDataFile(dataSet, folder)
  if (found === undefined || found.reason !== undefined) return dataSet
  const dumped = readMetadata(found)
  if (typeof dumped === 'string') return dataSet
  const keys = new Set(dataSet.indexes.map(({ key }) => JSON.stringify(key)))
  const indexes = dumped.indexes.filter(({ key }) => !keys.has(JSON.stringify(key)))
  const options = { ...dumped.options, ...dataSet.options }
  return {
    ...dataSet,
    // Safe: a server took them once, and takes them or refuses them again.
    indexes: [...(indexes as DataSetSpec['indexes']), ...dataSet.indexes],
    ...(Object.keys(options).length > 0 && { options }),
  }
}
