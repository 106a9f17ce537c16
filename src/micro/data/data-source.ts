/** The data sets of the specification, by the names of its files and folders. */
export const documentNames = [
  'flat_bson.json',
  'deep_bson.json',
  'full_bson.json',
  'tweet.json',
  'small_doc.json',
  'large_doc.json',
] as const
export type DocumentName = (typeof documentNames)[number]
/** The name of a folder with several files. */
export type FolderName = 'ldjson_multi' | 'gridfs_multi'
export type DataName = DocumentName | FolderName | 'gridfs_large.bin'

/** Provides the data of tasks. It is read before the clock starts, except files that a task reads itself. */
export type DataSource = {
  readonly text: (name: DocumentName) => Promise<string>
  readonly bytes: (name: 'gridfs_large.bin') => Promise<Buffer>
  readonly files: (name: FolderName) => Promise<readonly string[]>
}
