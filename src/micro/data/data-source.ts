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
export type FolderName = 'ldjson_multi' | 'gridfs_multi'
export type DataName = DocumentName | FolderName | 'gridfs_large.bin'

/** Where tasks get their data. Read before the clock starts, but for files that a task is to read itself. */
export type DataSource = {
  readonly text: (name: DocumentName) => Promise<string>
  readonly bytes: (name: 'gridfs_large.bin') => Promise<Buffer>
  /** Paths of all files in a folder. */
  readonly files: (name: FolderName) => Promise<readonly string[]>
}
