import { type Storage } from '../../results/schema/servers.ts'
import { type Scope } from '../scope.ts'
import { ratio, sum } from '../statistics.ts'
import { type Columns } from './column.ts'

const bytesPerMB = 1024 * 1024
const bytesPerGB = 1024 * bytesPerMB

const ofRow = { source: 'collStats', of: ['storage'], better: 'lower' } as const
const where =
  'after the last phase of the row and a checkpoint, on the primary; for a sharded cluster on the primaries of all shards together. Existing collections of `data` are included; a view has no size, and then the cell is empty'

/** Columns for the disk space of the collections of a row. */
export const storageColumns = {
  dataMB: {
    ...ofRow,
    title: 'Data on Disk (MB)',
    unit: 'MB',
    meaning: `Size of the files of the collections, without their indexes, ${where}.`,
    digits: 1,
    value: (scope) => ratio(bytesOf(scope, ['dataBytes']), bytesPerMB),
  },
  indexMB: {
    ...ofRow,
    title: 'Indexes on Disk (MB)',
    unit: 'MB',
    meaning: `Size of the files of their indexes, ${where}.`,
    digits: 1,
    value: (scope) => ratio(bytesOf(scope, ['indexBytes']), bytesPerMB),
  },
  totalGB: {
    ...ofRow,
    title: 'Data Size on Disk (GB)',
    unit: 'GB',
    meaning: `Size of the files of the collections and of their indexes, ${where}. The journal and the oplog are not included.`,
    digits: 3,
    value: (scope) => ratio(bytesOf(scope, ['dataBytes', 'indexBytes']), bytesPerGB),
  },
} as const satisfies Columns

type Part = keyof Omit<Storage['collections'][number], 'collection'>

function bytesOf({ variant: { storage } }: Scope, parts: readonly Part[]): number | null {
  if (storage === null || storage.collections.length === 0) return null
  return sum(storage.collections.flatMap((collection) => parts.map((part) => collection[part])))
}
