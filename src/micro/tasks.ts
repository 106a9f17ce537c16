import { type Json } from '../core/json.ts'
import { type DataName, type DataSource, type DocumentName } from './data/data-source.ts'
import * as documents from './document-work.ts'
import * as files from './file-work.ts'
import { type Group, type MicroTask, type TaskContext, type Work } from './task.ts'
import { computed, drawValues, generated } from './value-work.ts'

/** The averages that the tasks of a group on a server count in. */
const groupAverages = { single: 'SingleBench', multi: 'MultiBench', parallel: 'ParallelBench' } as const

type Row<Name> = {
  readonly name: string
  readonly title: string
  readonly group: keyof typeof groupAverages
  /** The other average that it counts in, by the direction of its documents. */
  readonly countsAlsoIn: 'ReadBench' | 'WriteBench'
  readonly data: Name
  readonly sinceServer?: number
  readonly prepare: (context: TaskContext, name: Name) => Promise<Work>
}

const createServerTask = <Name extends DataName>({ countsAlsoIn, data, prepare, ...row }: Row<Name>): MicroTask => ({
  ...row,
  countsIn: [groupAverages[row.group], countsAlsoIn],
  data: [data],
  on: 'server',
  prepare: (context) => prepare(context, data),
})

const sizes = [
  ['small', 'Small'],
  ['large', 'Large'],
] as const

/** Creates the same task with small documents and with large ones. */
const createInBothSizes = ({
  name,
  title,
  ...row
}: Omit<Row<DocumentName>, 'countsAlsoIn' | 'data'>): readonly MicroTask[] =>
  sizes.map(([size, sizeTitle]) =>
    createServerTask({
      ...row,
      name: `${size}-doc-${name}`,
      title: `${sizeTitle} doc ${title}`,
      countsAlsoIn: 'WriteBench',
      data: `${size}_doc.json`,
    }),
  )

const createBsonTask = (
  name: string,
  title: string,
  data: DocumentName,
  prepare: (source: DataSource, name: DocumentName) => Promise<Work>,
): MicroTask => ({
  name,
  title,
  group: 'bson',
  countsIn: ['BSONBench'],
  data: [data],
  on: 'client',
  prepare: (source) => prepare(source, data),
})

const createValueTasks = (group: Group, what: string, values: Readonly<Record<string, Json>>): readonly MicroTask[] =>
  Object.entries(values).map(([name, value]) => ({
    name: `${what}-${name}`,
    title: `${what === 'draw' ? 'Draw' : 'Compute'} ${name}`,
    group,
    countsIn: [],
    data: [],
    on: 'client',
    prepare: async () => drawValues(value),
  }))

/** All tasks, in the order of the specification, and those in memory that are not in it. */
export const microTasks: readonly MicroTask[] = [
  createBsonTask('flat-bson-encoding', 'Flat BSON encoding', 'flat_bson.json', documents.encodeBson),
  createBsonTask('flat-bson-decoding', 'Flat BSON decoding', 'flat_bson.json', documents.decodeBson),
  createBsonTask('deep-bson-encoding', 'Deep BSON encoding', 'deep_bson.json', documents.encodeBson),
  createBsonTask('deep-bson-decoding', 'Deep BSON decoding', 'deep_bson.json', documents.decodeBson),
  createBsonTask('full-bson-encoding', 'Full BSON encoding', 'full_bson.json', documents.encodeBson),
  createBsonTask('full-bson-decoding', 'Full BSON decoding', 'full_bson.json', documents.decodeBson),
  {
    name: 'run-command',
    title: 'Run command',
    group: 'single',
    countsIn: [],
    data: [],
    on: 'server',
    prepare: documents.runCommand,
  },
  createServerTask({
    name: 'find-one-by-id',
    title: 'Find one by ID',
    group: 'single',
    countsAlsoIn: 'ReadBench',
    data: 'tweet.json',
    prepare: documents.findOneById,
  }),
  ...createInBothSizes({ name: 'insert-one', title: 'insertOne', group: 'single', prepare: documents.insertOne }),
  createServerTask({
    name: 'find-many',
    title: 'Find many and empty the cursor',
    group: 'multi',
    countsAlsoIn: 'ReadBench',
    data: 'tweet.json',
    prepare: documents.findMany,
  }),
  ...createInBothSizes({ name: 'bulk-insert', title: 'bulk insert', group: 'multi', prepare: documents.bulkInsert }),
  ...createInBothSizes({
    name: 'collection-bulk-write',
    title: 'Collection BulkWrite insert',
    group: 'multi',
    prepare: documents.collectionBulkWrite,
  }),
  ...createInBothSizes({
    name: 'client-bulk-write',
    title: 'Client BulkWrite insert',
    group: 'multi',
    sinceServer: 8,
    prepare: documents.clientBulkWrite,
  }),
  createServerTask({
    name: 'small-doc-client-bulk-write-mixed',
    title: 'Small doc Client BulkWrite mixed operations',
    group: 'multi',
    countsAlsoIn: 'WriteBench',
    data: 'small_doc.json',
    sinceServer: 8,
    prepare: documents.clientBulkWriteMixed,
  }),
  createServerTask({
    name: 'small-doc-collection-bulk-write-mixed',
    title: 'Small doc Collection BulkWrite mixed operations',
    group: 'multi',
    countsAlsoIn: 'WriteBench',
    data: 'small_doc.json',
    prepare: documents.collectionBulkWriteMixed,
  }),
  createServerTask({
    name: 'gridfs-upload',
    title: 'GridFS upload',
    group: 'multi',
    countsAlsoIn: 'WriteBench',
    data: 'gridfs_large.bin',
    prepare: files.gridfsUpload,
  }),
  createServerTask({
    name: 'gridfs-download',
    title: 'GridFS download',
    group: 'multi',
    countsAlsoIn: 'ReadBench',
    data: 'gridfs_large.bin',
    prepare: files.gridfsDownload,
  }),
  createServerTask({
    name: 'ldjson-multi-import',
    title: 'LDJSON multi-file import',
    group: 'parallel',
    countsAlsoIn: 'WriteBench',
    data: 'ldjson_multi',
    prepare: files.ldjsonImport,
  }),
  createServerTask({
    name: 'ldjson-multi-export',
    title: 'LDJSON multi-file export',
    group: 'parallel',
    countsAlsoIn: 'ReadBench',
    data: 'ldjson_multi',
    prepare: files.ldjsonExport,
  }),
  createServerTask({
    name: 'gridfs-multi-upload',
    title: 'GridFS multi-file upload',
    group: 'parallel',
    countsAlsoIn: 'WriteBench',
    data: 'gridfs_multi',
    prepare: files.gridfsMultiUpload,
  }),
  createServerTask({
    name: 'gridfs-multi-download',
    title: 'GridFS multi-file download',
    group: 'parallel',
    countsAlsoIn: 'ReadBench',
    data: 'gridfs_multi',
    prepare: files.gridfsMultiDownload,
  }),
  ...createValueTasks('generators', 'draw', generated),
  ...createValueTasks('expressions', 'compute', computed),
]
