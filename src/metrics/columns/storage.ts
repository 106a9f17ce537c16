import { type Storage } from '../../results/schema/servers.ts'
import { type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { defineColumns } from './column.ts'

const bytesPerMB = 1024 * 1024
const bytesPerGB = 1024 * bytesPerMB

type CollectionSize = Storage['collections'][number]

const ofRow = { source: 'collStats', of: ['storage'], better: 'lower' } as const
const where = 'after the last phase of the row'

export const storageColumns = defineColumns(ofRow, {
  dataMB: {
    title: 'Data on Disk (MB)',
    meaning: `Size of the collection files, without indexes, ${where}.`,
    digits: 1,
    value: (scope) => ratio(sumBytes(scope, ['dataBytes']), bytesPerMB),
  },
  indexMB: {
    title: 'Indexes on Disk (MB)',
    meaning: `Size of the index files, ${where}.`,
    digits: 1,
    value: (scope) => ratio(sumBytes(scope, ['indexBytes']), bytesPerMB),
  },
  totalGB: {
    title: 'Data Size on Disk (GB)',
    meaning: `Size of the files of the collections and of their indexes, ${where}. The journal and the oplog are not included.`,
    digits: 3,
    value: (scope) => ratio(sumBytes(scope, ['dataBytes', 'indexBytes']), bytesPerGB),
  },
  bytesPerDocument: {
    title: 'Data on Disk (B/doc)',
    meaning: `Size of the collection files, without indexes, divided by their documents; a time series has one for each measurement.`,
    digits: 1,
    value: (scope) =>
      ratio(sumBytes(scope, ['dataBytes']), sumKnown(scope.variant.storage?.collections ?? [], 'documents')),
  },
  documentsPerBucket: {
    title: 'Documents per Bucket',
    unit: 'docs/bucket',
    meaning: `Measurements of the time series of the row, divided by their buckets, ${where}. Empty without a time series.`,
    digits: 1,
    better: 'higher',
    value: (scope) => ratio(sumKnown(seriesIn(scope), 'documents'), sumKnown(seriesIn(scope), 'buckets')),
  },
})

function sumBytes({ variant: { storage } }: Scope, parts: readonly ('dataBytes' | 'indexBytes')[]): number | null {
  if (storage === null || storage.collections.length === 0) return null
  return sum(storage.collections.flatMap((collection) => parts.map((part) => collection[part])))
}

const seriesIn = ({ variant: { storage } }: Scope): readonly CollectionSize[] =>
  storage?.collections.filter(({ buckets }) => buckets !== null) ?? []

/** The sum of a count over collections. Null: one of them is not known, or there is none. */
function sumKnown(collections: readonly CollectionSize[], part: 'documents' | 'buckets'): number | null {
  const values = collections.map((collection) => collection[part])
  return values.length > 0 && values.every(isNumber) ? sum(values) : null
}
