import { type ArgumentName, type MethodKind } from '../intent.ts'

/** What a method of the driver belongs to; functions are handed in. */
export type MethodOwner = 'collection' | 'database' | 'client' | 'bucket' | 'functions'

/** A method of the driver: its owner, its name and its arguments. */
export type DriverMethod = {
  readonly on: MethodOwner
  readonly name: string
  /** Its arguments in their order; its options come last. */
  readonly takes: readonly ArgumentName[]
}

const onCollection = (name: string, ...takes: readonly ArgumentName[]): DriverMethod => ({
  on: 'collection',
  name,
  takes,
})

/** The driver's method for each kind of call. */
export const driverMethods: Readonly<Record<MethodKind, DriverMethod>> = {
  insertOne: onCollection('insertOne', 'document'),
  insertMany: onCollection('insertMany', 'documents'),
  findOne: onCollection('findOne', 'filter'),
  find: onCollection('find', 'filter'),
  aggregate: onCollection('aggregate', 'pipeline'),
  countDocuments: onCollection('countDocuments', 'filter'),
  estimatedDocumentCount: onCollection('estimatedDocumentCount'),
  distinct: onCollection('distinct', 'key', 'filter'),
  updateOne: onCollection('updateOne', 'filter', 'update'),
  updateMany: onCollection('updateMany', 'filter', 'update'),
  replaceOne: onCollection('replaceOne', 'filter', 'replacement'),
  deleteOne: onCollection('deleteOne', 'filter'),
  deleteMany: onCollection('deleteMany', 'filter'),
  findOneAndUpdate: onCollection('findOneAndUpdate', 'filter', 'update'),
  findOneAndReplace: onCollection('findOneAndReplace', 'filter', 'replacement'),
  findOneAndDelete: onCollection('findOneAndDelete', 'filter'),
  bulkWrite: onCollection('bulkWrite', 'writes'),
  clientBulkWrite: { on: 'client', name: 'bulkWrite', takes: ['writes'] },
  command: { on: 'database', name: 'command', takes: ['command'] },
  gridfsUpload: { on: 'bucket', name: 'openUploadStream', takes: ['filename'] },
  gridfsDownload: { on: 'bucket', name: 'openDownloadStream', takes: ['filename'] },
  function: { on: 'functions', name: 'call', takes: ['with'] },
}
