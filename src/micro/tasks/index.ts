import { type MicroTask } from '../task.ts'
import { bsonDecoding } from './bson-decoding.ts'
import { bsonEncoding } from './bson-encoding.ts'
import { bulkInsert } from './bulk-insert.ts'
import { clientBulkWriteMixed } from './client-bulk-write-mixed.ts'
import { clientBulkWrite } from './client-bulk-write.ts'
import { collectionBulkWriteMixed } from './collection-bulk-write-mixed.ts'
import { collectionBulkWrite } from './collection-bulk-write.ts'
import { findMany } from './find-many.ts'
import { findOneById } from './find-one-by-id.ts'
import { gridfsDownload } from './gridfs-download.ts'
import { gridfsMultiDownload } from './gridfs-multi-download.ts'
import { gridfsMultiUpload } from './gridfs-multi-upload.ts'
import { gridfsUpload } from './gridfs-upload.ts'
import { insertOne } from './insert-one.ts'
import { ldjsonExport } from './ldjson-export.ts'
import { ldjsonImport } from './ldjson-import.ts'
import { runCommand } from './run-command.ts'

/** All tasks, in the order of the specification. To add one, write a file and list it here. */
export const microTasks: readonly MicroTask[] = [
  bsonEncoding('flat'),
  bsonDecoding('flat'),
  bsonEncoding('deep'),
  bsonDecoding('deep'),
  bsonEncoding('full'),
  bsonDecoding('full'),
  runCommand,
  findOneById,
  insertOne('small'),
  insertOne('large'),
  findMany,
  bulkInsert('small'),
  bulkInsert('large'),
  collectionBulkWrite('small'),
  collectionBulkWrite('large'),
  clientBulkWrite('small'),
  clientBulkWrite('large'),
  clientBulkWriteMixed,
  collectionBulkWriteMixed,
  gridfsUpload,
  gridfsDownload,
  ldjsonImport,
  ldjsonExport,
  gridfsMultiUpload,
  gridfsMultiDownload,
]
