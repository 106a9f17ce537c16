import { isWhole, type SpecRow } from '../fold/read-rows.ts'
import { findDataFile } from '../schema/data-file.ts'
import { type DataSetSpec } from '../schema/data-schema.ts'
import { readMetadata } from '../schema/dump.ts'

/**
 * Gives the data sets of rows the options and indexes that a dump has of their collections, in addition to their own.
 * @param folder Of the spec. Undefined: the dumps are on another machine.
 * @returns the rows, and remarks on what is not as in the dump.
 */
export function withDumps(
  rows: readonly SpecRow[],
  folder: string | undefined,
): { readonly rows: readonly SpecRow[]; readonly remarks: readonly string[] } {
  if (folder === undefined) return { rows, remarks: [] }
  const remarks = new Set<string>()
  const dumped = rows.map((row) => {
    if (!isWhole(row, ['data']) || !row.spec.data.some(({ file }) => file !== undefined)) return row
    return { ...row, spec: { ...row.spec, data: row.spec.data.map((dataSet) => withDump(dataSet, folder, remarks)) } }
  })
  return { rows: dumped, remarks: [...remarks] }
}

/** A dump that cannot be read is reported by the rule of files. */
function withDump(dataSet: DataSetSpec, folder: string, remarks: Set<string>): DataSetSpec {
  const dumped = readDump(dataSet, folder)
  if (dumped === undefined) return dataSet
  const { expiring } = dumped
  const keys = new Set(dataSet.indexes.map(({ key }) => JSON.stringify(key)))
  const indexes = dumped.indexes.filter(({ key }) => !keys.has(JSON.stringify(key)))
  const options = { ...dumped.options, ...dataSet.options }
  const { collection } = dataSet
  for (const { name, key } of indexes)
    if (expiring.has(JSON.stringify(key)))
      remarks.add(`The index "${String(name)}" of ${collection} expires nothing here: ${because}.`)
  if (expiring.has('clustered') && dataSet.options?.['expireAfterSeconds'] === undefined)
    remarks.add(`The collection ${collection} expires nothing here: ${because}.`)
  return {
    ...dataSet,
    // Safe: a server took them once, and takes them or refuses them again.
    indexes: [...(indexes as DataSetSpec['indexes']), ...dataSet.indexes],
    ...(Object.keys(options).length > 0 && { options }),
  }
}

function readDump(dataSet: DataSetSpec, folder: string): Exclude<ReturnType<typeof readMetadata>, string> | undefined {
  const found = dataSet.file === undefined || dataSet.metadata === false ? undefined : findDataFile(dataSet, folder)
  const dumped = found === undefined || found.reason !== undefined ? undefined : readMetadata(found)
  return typeof dumped === 'string' ? undefined : dumped
}

const because =
  'documents of the dump would disappear during the measurement; "expireAfterSeconds" in the spec itself has them expire'
